import type { Question, Ran } from '../../domain/command.ts';
import type { LookRequest } from './look-script.ts';
import { LOOK_BEGIN, lookArgv } from './look-script.ts';

/** `interrupted`: it was begun, and is gone without a word of how it ended. */
export type JobState =
  | { readonly kind: 'none' | 'running' | 'interrupted' }
  | { readonly kind: 'ended'; readonly exitCode: number };

/** What was seen of a job. */
export interface Look {
  readonly state: JobState;
  /** Bytes of output so far, also of what is not kept any more. */
  readonly total: number;
  /** The place of the first byte below in all of the output: further on than asked for, where that is not kept any more. */
  readonly from: number;
  readonly output: Uint8Array;
  /** Whether nobody was told of its end before: see `job-end.ts`. */
  readonly isFirstSight: boolean;
  /** By the clock of the host, in whole seconds; `undefined`: it does not know. */
  readonly begunMsAgo: number | undefined;
  readonly endedMsAgo: number | undefined;
}

const LINE = new RegExp(
  `^${LOOK_BEGIN} (none|running|interrupted|ended) (-|\\d{1,3}) (\\d{1,15}) (\\d{1,15})(?: (first|-) (-|\\d{1,9}) (-|\\d{1,9}))?\\n`,
);

function stateOf(word: string | undefined, code: string | undefined): JobState | undefined {
  if (word === 'none' || word === 'running' || word === 'interrupted') return { kind: word };
  return code === '-' ? undefined : { kind: 'ended', exitCode: Number(code) };
}

const msOf = (seconds: string | undefined): number | undefined =>
  seconds === undefined || seconds === '-' ? undefined : Number(seconds) * 1000;

function readLook({ stdout }: Ran): Look | undefined {
  const bytes = Buffer.from(stdout);
  // One character of it is one byte.
  const [line, word, code, total, from, sight, begun, ended] = LINE.exec(bytes.toString('latin1')) ?? [];
  const state = stateOf(word, code);
  if (line === undefined || state === undefined) return undefined;
  return {
    state,
    total: Number(total),
    from: Number(from),
    output: bytes.subarray(line.length),
    isFirstSight: sight === 'first',
    begunMsAgo: msOf(begun),
    endedMsAgo: msOf(ended),
  };
}

/** Asked as root. */
export const lookAt = (request: LookRequest): Question<Look> => ({ argv: lookArgv(request), read: readLook });
