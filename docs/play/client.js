// Workers and questions: ask() gives a promise of the answer, and fails with the library's
// sentence.

/** What the library refused; its message is the library's sentence. */
class Refusal extends Error {}

async function inflated(base64) {
  const packed = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

const moduleBytes = inflated(MODULE);
const workerAddress = URL.createObjectURL(new Blob([WORKER], {type: "text/javascript"}));

/**
 * A worker with the library in it. Questions wait for each other; halt() ends the one at work and
 * all that wait.
 */
class Client {
  constructor() {
    this.begin();
  }

  begin() {
    this.waiting = new Map();
    this.count = 0;
    this.worker = new Worker(workerAddress);
    this.worker.onmessage = ({data}) => this.answered(data);
    this.worker.onerror = (event) => document.body.dispatchEvent(
      new CustomEvent("broken", {detail: event.message || "the worker does not start"}));
    const begun = this.worker;
    this.ready = moduleBytes.then((bytes) => begun === this.worker && this.send({bytes}));
  }

  send(question, tell = null) {
    const id = ++this.count;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, {resolve, reject, tell});
      this.worker.postMessage({id, ...question});
    });
  }

  async ask(name, state = {}, tell = null) {
    await this.ready;
    return this.send({name, state}, tell);
  }

  answered({id, part, value, sentence}) {
    const {resolve, reject, tell} = this.waiting.get(id);
    if (part !== undefined) {
      tell(part);
      return;
    }
    this.waiting.delete(id);
    if (sentence === undefined)
      resolve(value);
    else
      reject(new Refusal(sentence));
  }

  halt() {
    this.worker.terminate();
    const waiting = this.waiting;
    this.begin();
    waiting.forEach(({reject}) => reject(new Refusal("stopped")));
  }
}
