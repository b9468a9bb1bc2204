import type { AlarmClock } from '../../lib/time/clock.ts';
import type { LeasedLink } from '../leased-link.ts';

/** Well within the time for which an answer of a host counts. */
const BEAT_MS = 5000;

/** While a step runs, saves every few seconds that its host answers and how long the step has taken. */
export class StepHeartbeat {
  readonly #clock: AlarmClock;
  readonly #link: Pick<LeasedLink, 'answers'>;
  readonly #save: (isAnswered: boolean, elapsedMs: number) => Promise<void>;
  readonly #begunMs: number;
  #answers: number;
  #cancelTimer = () => {};
  #saving: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(
    clock: AlarmClock,
    link: Pick<LeasedLink, 'answers'>,
    save: (isAnswered: boolean, elapsedMs: number) => Promise<void>,
  ) {
    this.#clock = clock;
    this.#link = link;
    this.#save = save;
    this.#begunMs = clock.monotonicMs();
    this.#answers = link.answers;
    this.#schedule();
  }

  /** Resolves when nothing is being saved any more. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancelTimer();
    await this.#saving;
  }

  #schedule(): void {
    this.#cancelTimer = this.#clock.after(BEAT_MS, () => {
      this.#saving = this.#beat();
    });
  }

  /** What cannot be saved now is saved at the next beat, or with the outcome of the step. */
  async #beat(): Promise<void> {
    const isAnswered = this.#link.answers > this.#answers;
    this.#answers = this.#link.answers;
    await this.#save(isAnswered, this.#clock.monotonicMs() - this.#begunMs).catch(() => {});
    if (!this.#isStopped) this.#schedule();
  }
}
