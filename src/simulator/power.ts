import type { Faults } from './faults.ts';
import type { DownCause, SimulatedHostSpec, SimulationContext } from './simulation-context.ts';
import { deriveBootId, runAfter } from './simulation-context.ts';

export interface Boot {
  readonly bootId: string;
  /** When the host accepted connections, in milliseconds since 1970. */
  readonly atMs: number;
  /** `first`: before the fleet was created. */
  readonly cause: 'first' | DownCause;
}

export interface PowerListener {
  readonly address: string;
  readonly spec: SimulatedHostSpec;
  readonly faults: Faults | undefined;
  onPowerDown(cause: DownCause): void;
  onPowerUp(): void;
}

const FIRST_UPTIME_MS = 3_600_000;

export class PowerState {
  readonly #context: SimulationContext;
  readonly #listener: PowerListener;
  #laterBoots: Boot[] | undefined;
  #bootId: string | undefined;
  readonly #firstAtMs: number;
  #upSinceMs: number;
  /** Increases when the host goes down or comes up; invalidates callbacks of the time before. */
  #generation = 0;
  #isLooping = false;
  isUp = true;

  constructor(context: SimulationContext, listener: PowerListener) {
    this.#context = context;
    this.#listener = listener;
    this.#firstAtMs = context.clock.now() - FIRST_UPTIME_MS;
    this.#upSinceMs = context.clock.monotonicMs() - FIRST_UPTIME_MS;
  }

  get bootId(): string {
    this.#bootId ??= this.#bootIdOf(this.#laterBoots?.length ?? 0);
    return this.#bootId;
  }

  get uptimeMs(): number {
    return this.isUp ? this.#context.clock.monotonicMs() - this.#upSinceMs : 0;
  }

  get boots(): readonly Boot[] {
    return [{ bootId: this.#bootIdOf(0), atMs: this.#firstAtMs, cause: 'first' }, ...(this.#laterBoots ?? [])];
  }

  #bootIdOf(number: number): string {
    return deriveBootId(this.#context.seed, `boot ${number} of ${this.#listener.address}`);
  }

  /** Calls back after `ms` if the host has not gone down since. */
  after(ms: number, callback: () => void): void {
    runAfter(this.#context, ms, this.ifStillUp(callback));
  }

  /** Returns a callback that does nothing once the host has gone down. */
  ifStillUp(callback: () => void): () => void {
    const generation = this.#generation;
    return () => {
      if (this.isUp && generation === this.#generation) callback();
    };
  }

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
    const bootMs = this.#listener.spec.bootMs ?? this.#context.latencies.bootMs;
    runAfter(this.#context, bootMs, () => {
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
    const rebootTwice = cause === 'requested' ? this.#listener.faults?.takeMatching('reboot_twice') : undefined;
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
      // The fault may have been cleared since.
      if (faults?.takeMatching('reboot_loop')) this.#rebootByItself();
    });
  }
}
