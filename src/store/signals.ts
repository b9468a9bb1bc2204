import type { Signal } from '../domain/events/signal.ts';

type Listener = (signal: Signal) => void;

/** Those who listen on this server. */
export class Signals {
  readonly #listeners = new Set<Listener>();

  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  emit(signals: Iterable<Signal>): void {
    for (const signal of signals) for (const listener of this.#listeners) listener(signal);
  }
}
