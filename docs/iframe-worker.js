// From a disk, browsers start no workers: the search of the site then runs in a hidden frame of the page.
if (location.protocol === "file:") {
  window.Worker = class {
    constructor(url) {
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.append(this.frame);
      const inside = this.frame.contentWindow;
      inside.postMessage = (data) => setTimeout(() => this.onmessage?.({ data: structuredClone(data) }));
      this.ready = new Promise((resolve, reject) => {
        const script = inside.document.createElement("script");
        script.onload = resolve;
        script.onerror = reject;
        script.src = url;
        inside.document.body.append(script);
      });
    }

    postMessage(message) {
      const data = structuredClone(message);
      this.ready.then(
        () => this.frame.contentWindow.onmessage({ data }),
        () => this.onerror?.(new Event("error", { cancelable: true })),
      );
    }

    terminate() {
      this.frame.remove();
    }
  };
}
