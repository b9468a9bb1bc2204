import type { Diary } from './diary.ts';
import type { Ways } from './ways.ts';

/** A command that was sent to a host. */
export interface Visit {
  readonly address: string;
  /** The address that the server comes from. */
  readonly source: string;
  /** By `performance.now()`. */
  readonly atMs: number;
}

/** Hosts that outlive every server, and know themselves what became of them. */
export interface Fleet {
  /** Where each is to be found, by its address. */
  readonly doors: ReadonlyMap<string, { readonly port: number }>;
  /** Lets in who has it, in base64. */
  readonly privateKey: string;
  readonly ways: Ways;
  readonly visits: readonly Visit[];
  /** So far. */
  readonly diary: Diary;
  /** How often hosts have gone down, all together. */
  readonly downs: number;
  stop(): Promise<void>;
}
