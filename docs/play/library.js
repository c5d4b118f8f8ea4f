// The module in a worker: calls of cn_* by name, typed by what the headers declare.

/**
 * What a failed call said, without the names of functions, and without the place of a name in JSON.
 */
class LibraryError extends Error {
  constructor(status, sentence) {
    super(sentence.replace(/\bcn_\w+: /g, "").replace(/^line \d+, column \d+, topology: /, ""));
    this.status = status;
  }
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();
const SCRATCH = 64; // bytes for outputs that are single values
const ARRAYS = {u8: Uint8Array, u32: Uint32Array, i32: Int32Array, u64: BigUint64Array, f64: Float64Array};

/** The exports of the module, once start() has come to its end. */
let exported = null;
let scratch = 0;

/**
 * Starts the module. The library opens no files and starts no program: what WASI asks for is a
 * clock and a way out.
 */
async function start(bytes) {
  const refuse = () => 52; // "not implemented", of WASI
  const wasi = {
    proc_exit(code) { throw new Error(`the module ended with ${code}`); },
    clock_time_get(clock, precision, at) {
      new DataView(exported.memory.buffer).setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true);
      return 0;
    },
  };
  const module = await WebAssembly.compile(bytes);
  const imports = {};
  for (const {module: from, name} of WebAssembly.Module.imports(module)) {
    imports[from] = imports[from] || {};
    imports[from][name] = wasi[name] || refuse;
  }
  exported = (await WebAssembly.instantiate(module, imports)).exports;
  (exported._initialize || (() => {}))();
  scratch = exported.malloc(SCRATCH);
}

function textAt(at) {
  if (at === 0)
    return null;
  const bytes = new Uint8Array(exported.memory.buffer);
  return decoder.decode(bytes.slice(at, bytes.indexOf(0, at)));
}

/** Memory that ends with the call which it is for. */
function lent(bytes, borrowed) {
  const at = exported.malloc(Math.max(1, bytes.length));
  if (at === 0)
    throw new Error("the browser gives no more memory");
  new Uint8Array(exported.memory.buffer).set(bytes, at);
  borrowed.push(at);
  return at;
}

/** An argument as its type is passed: l is a whole number of 64 bits, s a text, p an address. */
function passed(kind, value, borrowed) {
  if (kind === "l")
    return BigInt(value);
  if (kind === "s" && value !== null)
    return lent(encoder.encode(`${value}\0`), borrowed);
  if (ArrayBuffer.isView(value))
    return lent(new Uint8Array(value.buffer, value.byteOffset, value.byteLength), borrowed);
  return value === null ? 0 : Number(value);
}

/** Calls a function by its name; one that fails throws the library's sentence. */
function call(name, ...values) {
  const [result, kinds] = SIGNATURES[name];
  const borrowed = [];
  try {
    const found = exported[name](...values.map((value, i) => passed(kinds[i], value, borrowed)));
    if (result === "t" && found < 0)
      throw new LibraryError(found, textAt(exported.cn_last_error()));
    return result === "s" ? textAt(found) : found;
  } finally {
    borrowed.forEach((at) => exported.free(at));
  }
}

function viewOf(type, at, count) {
  return new ARRAYS[type](exported.memory.buffer, at, count);
}

/** The last outputs of a call, each a single value: values("f64 f64 i32", name, ...). */
function values(types, name, ...given) {
  const list = types.split(" ");
  call(name, ...given, ...list.map((type, i) => scratch + 8 * i));
  return list.map((type, i) => Number(viewOf(type, scratch + 8 * i, 1)[0]));
}

function value(type, name, ...given) {
  return values(type, name, ...given)[0];
}

/** Arrays that a call fills, each of `count` elements, followed by the capacity. */
function filled(types, count, name, given, ...after) {
  const list = types.split(" ");
  const at = list.map((type) => exported.malloc(Math.max(8, count * ARRAYS[type].BYTES_PER_ELEMENT)));
  try {
    call(name, ...given, ...at, count, ...after);
    return list.map((type, i) => viewOf(type, at[i], count).slice());
  } finally {
    at.forEach((one) => exported.free(one));
  }
}

/** Arrays whose length the call tells first. */
function arrays(types, name, ...given) {
  const none = types.split(" ").map(() => 0);
  try {
    call(name, ...given, ...none, 0, scratch);
  } catch (error) {
    if (!(error instanceof LibraryError) || error.status !== CN_ERR_CAPACITY)
      throw error;
  }
  return filled(types, viewOf("u32", scratch, 1)[0], name, given, scratch);
}

function text(name, ...given) {
  const length = (() => {
    try {
      call(name, ...given, 0, 0, scratch);
    } catch (error) {
      if (!(error instanceof LibraryError) || error.status !== CN_ERR_CAPACITY)
        throw error;
    }
    return viewOf("u32", scratch, 1)[0];
  })();
  const [bytes] = filled("u8", length + 1, name, given, scratch);
  return decoder.decode(bytes.slice(0, length));
}

/** Runs work(make), where make(name, ...) makes an object that ends with the work. */
function scope(work) {
  const made = [];
  const make = (name, ...given) => {
    call(name, ...given, scratch);
    const handle = viewOf("u32", scratch, 1)[0];
    made.push([SIGNATURES[name][2], handle]);
    return handle;
  };
  try {
    return work(make);
  } finally {
    made.reverse().forEach(([kind, handle]) => release(kind, handle));
  }
}

/** Makes an object that stays until release(). */
function kept(name, ...given) {
  call(name, ...given, scratch);
  return viewOf("u32", scratch, 1)[0];
}

function release(kind, handle) {
  viewOf("u32", scratch, 1)[0] = handle;
  call(kind === "sim" ? "cn_sim_close" : `cn_${kind}_free`, scratch);
}

/** The value of a call, or the library's sentence where it fails. */
function attempt(work) {
  try {
    return {value: work()};
  } catch (error) {
    if (!(error instanceof LibraryError))
      throw error;
    return {sentence: error.message, status: error.status};
  }
}
