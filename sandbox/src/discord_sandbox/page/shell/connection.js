/** The socket to the sandbox: asks and answers by nonce, and comes back by itself when it is lost. */

import { pageKey, requestWorld } from "./page-key.js";

const FIRST_WAIT = 400;
const LONGEST_WAIT = 4000;

export class Connection {
  /**
   * @param {string} personId
   * @param {{frame: function(Object): void, status: function("connecting"|"open"|"lost"): void}} observer
   */
  constructor(personId, observer) {
    this.personId = personId;
    this.observer = observer;
    this.asked = new Map();
    this.serial = 0;
    this.failures = 0;
    this.timer = null;
    window.addEventListener("online", () => this.reconnectNow());
    document.addEventListener("visibilitychange", () => document.hidden || this.reconnectNow());
    this.connect();
  }

  get isOpen() {
    return this.socket.readyState === WebSocket.OPEN;
  }

  connect() {
    clearTimeout(this.timer);
    this.timer = null;
    this.observer.status(this.failures ? "lost" : "connecting");
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    this.socket = new WebSocket(
      `${scheme}//${location.host}/socket?person=${encodeURIComponent(this.personId)}&key=${encodeURIComponent(pageKey())}`,
    );
    this.socket.addEventListener("message", (event) => this.receive(JSON.parse(event.data)));
    this.socket.addEventListener("close", () => this.lost());
  }

  receive(frame) {
    if (frame.t === "hello") {
      this.failures = 0;
      this.observer.status("open");
    }
    const waiting = this.asked.get(frame.nonce);
    if (waiting && (frame.t === "done" || frame.t === "choices")) {
      this.asked.delete(frame.nonce);
      waiting(frame);
    }
    this.observer.frame(frame);
  }

  lost() {
    for (const answer of this.asked.values()) answer({ t: "done", ok: false });
    this.asked.clear();
    this.failures += 1;
    this.observer.status("lost");
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (this.failures - 1));
    this.timer = setTimeout(() => this.connect(), wait);
    this.reloadWithoutKey();
  }

  /** A sandbox that was started anew has another key: the page then says what to do. */
  async reloadWithoutKey() {
    try {
      const answer = await requestWorld();
      if (answer.status === 403) location.reload();
    } catch (error) {
      console.info("The sandbox does not answer:", error.message);
    }
  }

  reconnectNow() {
    if (this.timer !== null) this.connect();
  }

  /** Send without waiting for anything. @returns {boolean} whether it could be sent */
  send(frame) {
    if (!this.isOpen) return false;
    this.socket.send(JSON.stringify(frame));
    return true;
  }

  /** Send and wait for its answer; a lost connection answers `{ok: false}`. @returns {Promise<Object>} */
  ask(frame) {
    this.serial += 1;
    const nonce = `${Date.now().toString(36)}-${this.serial}`;
    return new Promise((resolve) => {
      this.asked.set(nonce, resolve);
      if (!this.send({ ...frame, nonce })) {
        this.asked.delete(nonce);
        resolve({ t: "done", nonce, ok: false });
      }
    });
  }
}
