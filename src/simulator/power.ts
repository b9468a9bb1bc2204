import type { Faults } from './faults.ts';
import type { DownCause, SimulationContext } from './simulation-context.ts';
import { deriveBootId, runAfter } from './simulation-context.ts';

export interface Boot {
  readonly bootId: string;
  /** When the host could be connected to, in milliseconds since 1970. */
  readonly atMs: number;
  /** `first`: before the fleet was made; `asked`: by a command; `by_itself`: by a fault or by a switch. */
  readonly cause: 'first' | DownCause;
}

/** What has to know when the host goes down and comes up. */
export interface PowerListener {
  readonly address: string;
  readonly bootMs: number;
  readonly faults: Faults | undefined;
  onPowerDown(cause: DownCause): void;
  onPowerUp(): void;
}

/** How long hosts had been up when the fleet was made. */
const FIRST_UPTIME_MS = 3_600_000;

/** Whether a host is up, and since when. */
export class PowerState {
  readonly #context: SimulationContext;
  readonly #listener: PowerListener;
  #laterBoots: Boot[] | undefined;
  #bootId: string | undefined;
  readonly #firstAtMs: number;
  #upSinceMs: number;
  /** Rises whenever the host goes down or comes up, so that whatever belongs to the time before can be told. */
  #generation = 0;
  /** A `reboot_loop` has taken effect and not ended. */
  #isLooping = false;
  isUp = true;

  constructor(context: SimulationContext, listener: PowerListener) {
    this.#context = context;
    this.#listener = listener;
    this.#firstAtMs = context.clock.now() - FIRST_UPTIME_MS;
    this.#upSinceMs = context.clock.monotonicMs() - FIRST_UPTIME_MS;
  }

  /** Of the newest boot, also while it is down. */
  get bootId(): string {
    this.#bootId ??= this.#bootIdOf(this.#laterBoots?.length ?? 0);
    return this.#bootId;
  }

  get uptimeMs(): number {
    return this.isUp ? this.#context.clock.monotonicMs() - this.#upSinceMs : 0;
  }

  get boots(): readonly Boot[] {
    return [
      { bootId: this.#bootIdOf(0), atMs: this.#firstAtMs, cause: 'first' },
      ...(this.#laterBoots ?? []),
    ];
  }

  #bootIdOf(number: number): string {
    return deriveBootId(this.#context.seed, `boot ${number} of ${this.#listener.address}`);
  }

  /** Calls back after so long, if the host has been up all the time. */
  after(ms: number, callback: () => void): void {
    runAfter(this.#context, ms, this.ifStillUp(callback));
  }

  /** The same, but does nothing once the host has gone down. */
  ifStillUp(callback: () => void): () => void {
    const generation = this.#generation;
    return () => {
      if (this.isUp && generation === this.#generation) callback();
    };
  }

  /** As a command asks for it. */
  reboot(): void {
    const { faults } = this.#listener;
    if (faults?.takeMatching('reboot_never')) return;
    const lateMs = faults?.takeMatching('reboot_late')?.byMs ?? 0;
    this.after(this.#context.latencies.rebootDelayMs + lateMs, () => {
      this.powerOff('requested');
      this.powerOn('requested');
    });
  }

  powerOff(cause: DownCause = 'unrequested'): void {
    this.#generation += 1;
    if (!this.isUp) return;
    this.isUp = false;
    this.#listener.onPowerDown(cause);
  }

  powerOn(cause: DownCause = 'unrequested'): void {
    if (this.isUp) return;
    this.#generation += 1;
    const generation = this.#generation;
    runAfter(this.#context, this.#listener.bootMs, () => {
      if (generation === this.#generation) this.#comeUp(cause);
    });
  }

  #comeUp(cause: DownCause): void {
    const { clock } = this.#context;
    this.#upSinceMs = clock.monotonicMs();
    this.#laterBoots ??= [];
    this.#bootId = this.#bootIdOf(this.#laterBoots.length + 1);
    this.#laterBoots.push({ bootId: this.#bootId, atMs: clock.now(), cause });
    this.isUp = true;
    this.#listener.onPowerUp();
    const rebootTwice =
      cause === 'requested' ? this.#listener.faults?.takeMatching('reboot_twice') : undefined;
    if (rebootTwice) this.after(rebootTwice.afterMs, () => this.#rebootByItself());
    this.#continueLoop(cause);
  }

  #rebootByItself(): void {
    this.powerOff();
    this.powerOn();
  }

  #continueLoop(cause: DownCause): void {
    const { faults } = this.#listener;
    const loop = faults?.find('reboot_loop');
    this.#isLooping = loop !== undefined && (cause === 'requested' || this.#isLooping);
    if (loop === undefined || !this.#isLooping) return;
    this.after(loop.everyMs, () => {
      // The host may have recovered meanwhile.
      if (faults?.takeMatching('reboot_loop')) this.#rebootByItself();
    });
  }
}
