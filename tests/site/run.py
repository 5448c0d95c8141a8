#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Makes the site (docs/site/make.py), and tests it in headless Chromium. Chromium opens the pages as files, and from a server's subfolder.

usage: run.py BUILD     The exit status is 77 if Chromium or the tools of the site are missing.
"""
import functools
import http.server
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import threading
import unittest
import urllib.parse

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs" / "site"))

import make  # noqa: E402

SPECS = ["4,scatter", "3,compact", "2,scatter,4,subscatter", "4,scatter,2,subcompact", "4,scatter,4,scatter", "2,compact,3,subcompact",
         "numa,scatter,core,subcompact", "3,scatter,l2,subscatter@package", "5,scatter,3,subscatter", "pu,compact", "*,scatter,2,subcompact",
         "2,scatter,2,compact,3,subcompact", "auto", "off"]
FAULTS = ["4,scater", "4", "0,scatter", "4,scatter,", "4x4", "4,scatter@numa", "  9999999,compact", "4,scatter,é"]
LARGE = "64,scatter,64,subcompact"
WEIGHT = 1_000_000  # bytes that the planner's page and its files may have

# JavaScript: chooses a machine, types two specifications, and returns what the page shows.
SHOW = """
const [name, first, second, done] = arguments;
addEventListener("shown", async () => {
  const picture = document.getElementById("picture");
  await picture.decode();
  done({svg: decodeURIComponent(picture.src.split(",").slice(1).join(",")), width: picture.naturalWidth,
        words: [0, 1].map(i => document.querySelector(`#words${i} pre`).textContent),
        lines: [0, 1].map(i => document.querySelector(`#words${i} code`).textContent),
        faults: [0, 1].map(i => document.getElementById("fault" + i).textContent),
        isOld: document.getElementById("figure").classList.contains("old"), summary: document.getElementById("summary").textContent});
}, {once: true});
document.getElementById("machine").value = name;
document.getElementById("spec0").value = first;
document.getElementById("spec1").value = second;
document.getElementById("spec0").dispatchEvent(new Event("input"));
"""

# This JavaScript code returns the contrast of each visible text to its background. WCAG defines this contrast.
CONTRAST = """
const parts = colour => colour.match(/[\\d.]+/g).map(Number);
const light = colour => parts(colour).slice(0, 3).map(c => c / 255).map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
  .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
const ground = element => { const colour = getComputedStyle(element).backgroundColor;
  return parts(colour)[3] === 0 && element.parentElement ? ground(element.parentElement) : colour; };
return [...document.querySelectorAll("a, h1, p, label, pre, code, input, select, button, #summary")].map(element => {
  const [a, b] = [light(getComputedStyle(element).color), light(ground(element))].sort((x, y) => y - x);
  return (a + 0.05) / (b + 0.05); });
"""


def nestbind(*words):
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "NESTBIND_", "COLUMNS"))}
    return subprocess.run([COMMAND, *words], cwd=ROOT, env=kept, check=False, capture_output=True, encoding="utf-8")


def start_browser():
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    for word in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1200,900"):
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))


class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = start_browser()
        cls.addClassCleanup(cls.browser.quit)
        cls.browser.set_script_timeout(60)

    def tearDown(self):
        self.assertEqual([entry for entry in self.browser.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")], [])
        events = [json.loads(entry["message"])["message"] for entry in self.browser.get_log("performance")]
        asked = [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]
        self.assertEqual([url for url in asked if not url.startswith(("file:", "data:", "blob:", "about:", "http://127.0.0.1:"))], [])

    def open(self, name, base=None):
        self.browser.get("about:blank")
        self.browser.get((base or make.SITE.as_uri()) + "/" + name)

    def wait_for(self, condition):
        WebDriverWait(self.browser, 20, poll_frequency=0.05).until(lambda browser: browser.execute_script("return " + condition))

    def open_planner(self, address=""):
        self.open("play.html" + address)
        self.wait_for("document.getElementById('picture')?.src.length > 0")

    def show(self, machine, first, second=""):
        return self.browser.execute_async_script(SHOW, machine, first, second)

    def find(self, selector):
        return self.browser.find_element("css selector", selector)


class Planner(Site):
    def setUp(self):
        self.open_planner()

    def test_pictures_and_words_are_the_command_s(self):
        compared = 0
        for _, name, _, source in make.MACHINES:
            for number, spec in enumerate(SPECS):
                beside = ["--beside", SPECS[number - 1]] if number % 4 == 3 else []
                with self.subTest(machine=name, spec=spec, beside=beside):
                    shown = self.show(name, spec, *beside[1:])
                    drawn = nestbind("plan", "--format", "svg", spec, *beside, "--machine", source)
                    self.assertEqual((drawn.returncode, shown["svg"]), (0, drawn.stdout))
                    self.assertGreater(shown["width"], 100)
                    self.assertEqual(shown["words"][0].split(), nestbind("explain", spec, "--machine", source).stdout.split())
                    compared += 1
        self.assertGreaterEqual(compared, 200)
        print(f"{compared} pictures compared")

    def test_faults_have_a_caret(self):
        for spec in FAULTS:
            with self.subTest(spec):
                said = nestbind("plan", spec, "--machine", "core:4 pu:1").stderr.splitlines()
                shown = self.show("2x4", spec)
                self.assertTrue(shown["isOld"])
                self.assertEqual(shown["faults"][0].splitlines()[1:], said[1:3])
                self.assertIn("^", said[2])
                self.assertEqual(self.show("2x4", "2,scatter", spec)["faults"], ["", shown["faults"][0]])

    def test_a_record_that_is_pasted(self):
        source = "pack:2 [numa] core:3 pu:2"
        record = nestbind("topology", "--format", "record", "--machine", source, "--cpus", "2-11").stdout
        drawn = nestbind("plan", "--format", "svg", "4,scatter", "--machine", source, "--cpus", "2-11").stdout
        self.find("#machine").send_keys("a node")
        self.find("#record").send_keys(record)
        self.assertEqual(self.show("own", "4,scatter")["svg"], drawn)
        self.wait_for("location.hash.includes('r=') && location.hash.includes('a=4,scatter')")
        self.assertLess(len(self.browser.current_url), 600)
        self.open_planner("#" + self.browser.current_url.partition("#")[2].replace("&a=", "&b=2,compact&a="))
        drawn = nestbind("plan", "--format", "svg", "4,scatter", "--beside", "2,compact", "--machine", source, "--cpus", "2-11").stdout
        self.assertEqual(self.browser.execute_script(
            "return decodeURIComponent(document.getElementById('picture').src.slice('data:image/svg+xml,'.length))"), drawn)
        for bad in ("00", record[:-9], "what is this"):
            self.find("#record").clear()
            self.find("#record").send_keys(bad)
            self.wait_for("document.getElementById('summary').textContent.startsWith('This is no record')")

    def test_shape(self):
        self.find("#shape").send_keys("4x4")
        drawn = nestbind("plan", "--format", "svg", "auto", "--shape", "4x4", "--machine", dict((one[1], one[3]) for one in make.MACHINES)["barcelona"])
        self.assertEqual(self.show("barcelona", "auto")["svg"], drawn.stdout)
        self.wait_for("location.hash.includes('s=4x4')")
        self.find("#shape").send_keys("x")
        self.assertTrue(self.show("barcelona", "auto")["isOld"])
        self.assertNotEqual(self.find("#faultOfShape").text, "")

    def test_two_explanations(self):
        """The lines of both fit their columns, and after a fault both are pale."""
        self.show("barcelona", "4,scatter,4,subscatter", "4,compact,4,subcompact")
        columns = self.browser.execute_script("return [0, 1].map(i => { const pre = document.querySelector(`#words${i} pre`);"
                                              " return [columnsOf(pre), Math.max(...pre.textContent.split('\\n')"
                                              ".filter(line => line.startsWith('  ') && !line.includes('=')).map(line => line.length))]; })")
        for room, longest in columns:
            self.assertGreaterEqual(room, longest)  # the explanation breaks neither its first line nor commands, which have "="
            self.assertGreater(longest, room // 2)
        self.show("barcelona", "4,scatter,4,subscatter", "4,scater")
        self.assertLess(float(self.browser.execute_script("return getComputedStyle(document.getElementById('words')).opacity")), 1)

    def test_by_keys_alone(self):
        keys = ActionChains(self.browser)
        reached = []
        for _ in range(14):
            keys.send_keys(Keys.TAB).perform()
            reached.append(self.browser.execute_script("const e = document.activeElement; return e.id || e.textContent"))
        self.assertEqual([word for word in reached if word in ("machine", "spec0", "spec1", "shape", "figure", "Copy")],
                         ["machine", "spec0", "spec1", "shape", "figure", "Copy"], reached)
        self.find("#spec0").send_keys(Keys.CONTROL + "a" + Keys.NULL, "2,compact")
        self.wait_for("document.getElementById('picture').alt.startsWith('2,compact on 4 packages')")
        self.find("#machine").send_keys("a laptop")
        self.wait_for("document.getElementById('picture').alt.startsWith('2,compact on 1 package')")
        self.wait_for("location.hash === '#m=laptop&a=2,compact'")
        self.find("#words0 button").send_keys(Keys.ENTER)
        self.wait_for("document.querySelector('#words0 button').textContent !== 'Copy'")
        self.assertEqual(self.browser.execute_script("return getSelection().toString()"), "nestbind run 2,compact -- ./program")
        self.assertEqual(self.show("laptop", "*,scatter")["lines"][0], "nestbind run '*,scatter' -- ./program")

    def test_narrow_and_in_both_colours(self):
        for scheme in ("light", "dark"):
            self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
            self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": 400, "height": 800, "deviceScaleFactor": 1,
                                                                               "mobile": False})
            self.show("barcelona", "4,scatter,4,subscatter", "4,scater" if scheme == "dark" else "4,scatter,4,scatter")
            self.assertLessEqual(self.browser.execute_script("return document.documentElement.scrollWidth"), 400)
            self.assertGreaterEqual(min(self.browser.execute_script(CONTRAST)), 4.5)
            self.assertGreaterEqual(self.browser.execute_script("return Math.min(...[...document.querySelectorAll('body *')].map(e => "
                                                                "parseFloat(getComputedStyle(e).fontSize)))"), 13)
            self.browser.save_screenshot(str(make.BUILD / f"play-{scheme}.png"))
        self.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})

    def test_size_and_time(self):
        weight = sum((make.SITE / name).stat().st_size for name in ("play.html", "play.css", "play.js", "planner.js"))
        self.assertLess(weight, WEIGHT)
        self.show("64x64", LARGE)
        milliseconds = self.browser.execute_script("return [0, 1, 2].map(() => { const begun = performance.now(); planner.draw(1);"
                                                   " return performance.now() - begun; })")
        print(f"the planner's page: {weight} bytes; 64x64 on 4096 processors: {min(milliseconds):.0f} ms")


class Pages(Site):
    def test_pictures_of_the_first_page_fit(self):
        for width in (1280, 500):
            self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False})
            self.open("index.html")
            cut = self.browser.execute_script("return [...document.querySelectorAll('.pair pre')].map(one => one.scrollWidth - one.clientWidth)")
            self.assertEqual(cut, [0, 0, 0, 0], width)
        self.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})

    def test_search_from_files(self):
        self.open("index.html")
        self.find("input.md-search__input").send_keys("subscatter")
        WebDriverWait(self.browser, 20).until(lambda browser: browser.find_elements("css selector", ".md-search-result__item a"))

    def test_manual_and_colours(self):
        for scheme, is_dark in (("light", False), ("dark", True)):
            self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
            self.open("docs/man/nestbind-topology.1.html")
            headings = [heading.get_attribute("id") for heading in self.browser.find_elements("css selector", "h2")]
            self.assertEqual(headings, ["NAME", "SYNOPSIS", "DESCRIPTION", "EXIT_STATUS", "SEE_ALSO"])
            ground = self.browser.execute_script("return getComputedStyle(document.body).backgroundColor.match(/[\\d.]+/g).slice(0, 3).map(Number)")
            self.assertEqual(sum(ground) < 384, is_dark, ground)
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})

    def test_below_a_path(self):
        class Quiet(http.server.SimpleHTTPRequestHandler):
            def log_message(self, *_):
                pass
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=make.BUILD)) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            base = f"http://127.0.0.1:{server.server_port}/html"
            for name in ("index.html", "play.html", "docs/guide.html", "docs/man/nestbind-spec.7.html", "bench/NUMA.html"):
                self.open(name, base)
                self.assertIn("nestbind", self.browser.title.lower() + self.find("header").text)
            server.shutdown()

    def test_every_link_leads_to_something(self):
        for page in make.SITE.rglob("*.html"):
            text = page.read_text(encoding="utf-8")
            for name in re.findall(r'(?:href|src)="([^"#]+)', text):
                if page.name == "404.html" or name.startswith(("data:", "mailto:")):
                    continue
                is_other = re.match(r"\w+:", name)
                self.assertFalse(is_other and f'<a href="{name}' not in text, f"{page} loads {name}")
                self.assertTrue(is_other or (page.parent / urllib.parse.unquote(name)).exists(), f"{page}: there is no {name}")


def skip(why):
    print(f"SKIP: {why}")
    sys.exit(77)


if __name__ == "__main__":
    COMMAND = str(pathlib.Path(sys.argv[1]).resolve() / "bin" / "nestbind")
    if not shutil.which("chromium") or not shutil.which("chromedriver"):
        skip("there is no chromium with its chromedriver (Debian: chromium, chromium-driver)")
    try:
        make.install_tools()
    except SystemExit as why:
        skip(f"the tools of the site cannot be installed from PyPI: {why}")
    if pathlib.Path(sys.prefix) != make.BUILD / "venv":
        os.execv(make.PYTHON, [str(make.PYTHON), *sys.argv])
    from selenium import webdriver
    from selenium.webdriver import ActionChains, Keys
    from selenium.webdriver.support.ui import WebDriverWait
    make.make(COMMAND)
    unittest.main(argv=sys.argv[:1], verbosity=2)
