// Browsers start no worker for a page that lies in a folder: there a hidden frame does its work, for the search.
if (location.protocol === "file:")
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      this.begun = new Promise((begin) => (frame.onload = begin)).then(() => frame.contentWindow);
      frame.srcdoc = `<script>
        self.postMessage = (data) => frameElement.worker.dispatchEvent(new MessageEvent("message", { data }));
      </script><script src="${url}"></script>`;
      frame.worker = this;
      document.body.append(frame);
    }
    postMessage(data) {
      this.begun.then((inner) => inner.dispatchEvent(new MessageEvent("message", { data })));
    }
  };
