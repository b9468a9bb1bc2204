import type { Argv } from '../../../domain/command.ts';
import type { FailureKind } from '../../../domain/transport-failure.ts';

/** A command that a host was sent. */
export interface JournalEntry {
  /** When it was sent, in milliseconds since 1970. */
  readonly atMs: number;
  /** Of the boot that it was sent to. */
  readonly bootId: string;
  readonly argv: Argv;
  readonly asRoot: boolean;
  /** Whether the host has carried it out, whatever the caller was told. */
  tookEffect: boolean;
  /** What the caller was told: the exit code, or why there is none. */
  outcome: number | FailureKind | 'running';
}

/** The newest commands of a host, oldest first. */
export class Journal {
  readonly #maxLength: number;
  readonly entries: JournalEntry[] = [];

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  add(entry: JournalEntry): void {
    this.entries.push(entry);
    if (this.entries.length > this.#maxLength) this.entries.shift();
  }
}
