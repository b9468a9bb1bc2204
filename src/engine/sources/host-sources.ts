// Host sources are read in the background, and what they tell is kept in the store with the time at which they told it. What must hold:
// no request waits for a source; one server at a time reads it, however many share the store; a source that does not answer changes
// nothing of what is known; none holds up another, or a stop.

import { within } from '../../lib/time/sleep.ts';
import type { ConfiguredSource, SourcePorts } from './ports.ts';
import { SourceReader } from './source-reader.ts';

/** The last words to the store at a stop. */
const LEAVE_WITHIN_MS = 2000;

export class HostSources {
  readonly #ports: SourcePorts;
  readonly #readers: ReadonlyMap<string, SourceReader>;

  private constructor(ports: SourcePorts, sources: readonly ConfiguredSource[]) {
    this.#ports = ports;
    this.#readers = new Map(sources.map(each => [each.name, new SourceReader(ports, each)]));
  }

  /** Begins to read them: each at once, since it may be configured anew, and then whenever its time has come. */
  static start(ports: SourcePorts, sources: readonly ConfiguredSource[]): HostSources {
    const started = new HostSources(ports, sources);
    for (const reader of started.#readers.values()) reader.start();
    return started;
  }

  /** A host was enrolled whose facts come from there. */
  readSoon(name: string): void {
    this.#readers.get(name)?.lookSoon();
  }

  /** What is under way is left; whoever comes next begins it anew. */
  async stop(): Promise<void> {
    const stopped = () => Promise.all([...this.#readers.values()].map(reader => reader.stop()));
    await within(this.#ports.clock, LEAVE_WITHIN_MS, stopped);
  }
}
