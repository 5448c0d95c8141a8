// SPDX-License-Identifier: BSD-3-Clause
// The script of the page play.html. nestbindModule and nestbindMachines are in planner.js, which docs/site/make.py makes.
"use strict";

const element = (id) => document.getElementById(id);
const machine = element("machine");
const record = element("record");
const specs = [element("spec0"), element("spec1")];
const shape = element("shape");
const OWN = "own"; // the name of the machine whose record the user pastes

// packed() changes bytes to a compressed text that an address may contain, and unpacked() changes it back.
const through = async (bytes, stream) =>
  new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
const unpacked = (text) =>
  through(Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0)), new DecompressionStream("deflate"));
const packed = async (bytes) =>
  btoa(Array.from(await through(bytes, new CompressionStream("deflate")), (b) => String.fromCharCode(b)).join(""))
    .replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");

const hexadecimal = (bytes) => Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");
const fromHexadecimal = (text) => Uint8Array.from(text.replace(/\s/g, "").match(/../g) ?? [], (two) => parseInt(two, 16));

// The system functions that the C++ library needs. A page has no system, so they return the error "function not supported".
function systemFor(module) {
  const system = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    system[from] ??= {};
    system[from][name] = () => 52;
  }
  return system;
}

let compiled;
let planner; // the functions of the WebAssembly module
async function start() {
  compiled ??= await WebAssembly.compile(await unpacked(nestbindModule));
  planner = (await WebAssembly.instantiate(compiled, systemFor(compiled))).exports;
  planner._initialize();
}

function give(which, bytes) {
  const where = planner.room(which, bytes.length);
  new Uint8Array(planner.memory.buffer, where, bytes.length).set(bytes);
}

const answer = () =>
  new TextDecoder().decode(new Uint8Array(planner.memory.buffer, planner.answer(), planner.answer_size()));

const known = new Map(nestbindMachines.map((one) => [one.name, one]));

// Writes to the page's address all that is needed to show the same page.
async function writeAddress() {
  const state = new URLSearchParams({ m: machine.value, a: specs[0].value });
  if (specs[1].value) state.set("b", specs[1].value);
  if (shape.value) state.set("s", shape.value);
  if (machine.value === OWN) state.set("r", await packed(fromHexadecimal(record.value)));
  history.replaceState(null, "", "#" + state.toString().replaceAll("%2C", ","));
}

// Waits after a key, because browsers limit how often a page may change its address.
let writing;
function writeAddressSoon() {
  clearTimeout(writing);
  writing = setTimeout(writeAddress, 300);
}

async function readAddress(hash) {
  clearTimeout(writing);
  const state = new URLSearchParams(hash.slice(1));
  const name = state.get("m");
  machine.value = name === OWN || known.has(name) ? name : nestbindMachines[0].name;
  specs[0].value = state.get("a") ?? "4,scatter,2,subcompact";
  specs[1].value = state.get("b") ?? "";
  shape.value = state.get("s") ?? "";
  record.value = state.has("r") ? hexadecimal(await unpacked(state.get("r")).catch(() => [])) : record.value;
}

// Shows a message of three lines. Only the first line may be wrapped.
function showFault(which, text) {
  const [first, ...others] = text.split("\n");
  const headline = document.createElement("span");
  headline.textContent = first;
  element("fault" + which).replaceChildren(...(text ? [headline, ["", ...others].join("\n")] : []));
}

// Reads a specification. Returns its canonical text. If the specification is wrong, shows the message and returns nothing.
function readSpec(which) {
  give(1 + which, new TextEncoder().encode(specs[which].value));
  const isGood = planner.read_spec(which);
  const text = answer();
  showFault(which, isGood ? "" : text);
  specs[which].setAttribute("aria-invalid", String(!isGood));
  return isGood ? text : undefined;
}

// The command line, quoted for a shell.
const lineFor = (spec) => `nestbind run ${spec.includes("*") ? `'${spec}'` : spec} -- ./program`;

// How many columns of text fit in an element.
const columnsOf = (pre) => Math.max(30, Math.floor((10 * pre.clientWidth) / element("ruler").getBoundingClientRect().width));

// All sections must have been made visible, so that they have their widths.
function showWords(which, spec) {
  const section = element("words" + which);
  section.querySelector("code").textContent = lineFor(spec);
  section.querySelector("button").textContent = "Copy";
  const pre = section.querySelector("pre");
  planner.explain(which, columnsOf(pre));
  pre.textContent = answer();
}

// Shows the machine and the specifications. If there is a fault, the last picture and words stay, in pale colours.
function show(bytes) {
  give(0, bytes);
  const hasMachine = planner.read_machine();
  element("summary").textContent = hasMachine ? answer() : bytes.length ? `This is no record: ${answer()}.` : "";
  const count = specs[1].value.trim() === "" ? 1 : 2;
  const texts = specs.map((_, i) => (i < count ? readSpec(i) : undefined));
  if (count < 2) showFault(1, "");
  give(3, new TextEncoder().encode(shape.value.trim()));
  const areSpecs = hasMachine && texts.slice(0, count).every((text) => text !== undefined);
  const isGood = areSpecs && Boolean(planner.read_shape(count));
  element("faultOfShape").textContent = areSpecs && !isGood ? answer() : "";
  for (const id of ["figure", "words"]) element(id).classList.toggle("old", !isGood);
  if (!isGood) return;
  planner.draw(count);
  element("picture").src = "data:image/svg+xml," + encodeURIComponent(answer());
  element("picture").alt = `${texts.slice(0, count).join(" and ")} on ${element("summary").textContent}`;
  texts.forEach((text, i) => { element("words" + i).hidden = text === undefined; });
  texts.slice(0, count).forEach((text, i) => showWords(i, text));
}

let latest = 0;
async function update() {
  const turn = ++latest;
  const isOwn = machine.value === OWN;
  element("own").hidden = !isOwn;
  const bytes = isOwn ? fromHexadecimal(record.value) : await unpacked(known.get(machine.value).record);
  if (turn !== latest) return;
  writeAddressSoon();
  try {
    show(bytes);
  } catch (fault) {
    element("summary").textContent = `The planner has stopped: ${fault.message}.`;
    await start();
  }
  dispatchEvent(new Event("shown"));
}

async function copy(section) {
  const code = section.querySelector("code");
  getSelection().selectAllChildren(code);
  const isDone = navigator.clipboard ? await navigator.clipboard.writeText(code.textContent).then(() => true, () => false) : false;
  section.querySelector("button").textContent = isDone || document.execCommand("copy") ? "Copied" : "Selected";
}

function fillMachines() {
  const groups = new Map();
  for (const one of [...nestbindMachines, { group: "Yours", name: OWN, title: "a node of your own" }]) {
    if (!groups.has(one.group)) {
      groups.set(one.group, machine.appendChild(document.createElement("optgroup")));
      groups.get(one.group).label = one.group;
    }
    groups.get(one.group).append(new Option(one.title, one.name));
  }
}

fillMachines();
element("form").addEventListener("submit", (event) => event.preventDefault());
for (const one of [machine, record, shape, ...specs]) one.addEventListener("input", update);
for (const which of [0, 1]) {
  const section = element("words" + which);
  section.querySelector("button").addEventListener("click", () => copy(section));
}
addEventListener("hashchange", (event) => readAddress(new URL(event.newURL).hash).then(update));
addEventListener("resize", update);
start().then(() => readAddress(location.hash)).then(update).catch((fault) => {
  element("summary").textContent = `This browser cannot run the planner: ${fault.message}.`;
});
