// The news of a match where there is no server: like an EventSource, but the worker of the page tells them.

export class Told extends EventTarget {
  #isClosed = false;
  #stop = () => {};

  constructor(path) {
    super();
    import("./inside.js").then(({ hear }) => {
      const tell = (name, data) =>
        this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data) }));
      if (!this.#isClosed) this.#stop = hear(path, tell);
    });
  }

  close() {
    this.#isClosed = true;
    this.#stop();
  }
}
