// The news of a match where there is no server: like an EventSource, but the worker of the page tells them.

export class Told extends EventTarget {
  #isClosed = false;
  #stop = () => {};

  constructor(path) {
    super();
    import("./inside.js").then(({ hear }) => {
      if (!this.#isClosed) this.#stop = hear(path, (name, data) => this.#tell(name, data));
    });
  }

  #tell(name, data) {
    this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data) }));
  }

  close() {
    this.#isClosed = true;
    this.#stop();
  }
}
