import { deriveBootId } from './derive.ts';
import type { Faults } from './faults.ts';
import type { DownCause, World } from './world.ts';
import { wait } from './world.ts';

export interface Boot {
  readonly bootId: string;
  /** When the host could be connected to, in milliseconds since 1970. */
  readonly atMs: number;
  /** `first`: before the fleet was made; `asked`: by a command; `by_itself`: by a fault or by a switch. */
  readonly cause: 'first' | DownCause;
}

/** What has to know when the host goes down and comes up. */
export interface Powered {
  readonly address: string;
  readonly bootMs: number;
  readonly faults: Faults | undefined;
  wentDown(cause: DownCause): void;
  cameUp(): void;
}

/** How long hosts had been up when the fleet was made. */
const FIRST_UPTIME_MS = 3_600_000;

/** Whether a host is up, and since when. */
export class Power {
  readonly #world: World;
  readonly #owner: Powered;
  #later: Boot[] | undefined;
  #bootId: string | undefined;
  readonly #firstAtMs: number;
  #upSinceMs: number;
  /** Rises whenever the host goes down or comes up, so that whatever belongs to the time before can be told. */
  #era = 0;
  /** A `reboot_loop` has taken effect and not ended. */
  #isLooping = false;
  isUp = true;

  constructor(world: World, owner: Powered) {
    this.#world = world;
    this.#owner = owner;
    this.#firstAtMs = world.clock.now() - FIRST_UPTIME_MS;
    this.#upSinceMs = world.clock.monotonicMs() - FIRST_UPTIME_MS;
  }

  /** Of the newest boot, also while it is down. */
  get bootId(): string {
    this.#bootId ??= this.#bootIdOf(this.#later?.length ?? 0);
    return this.#bootId;
  }

  get uptimeMs(): number {
    return this.isUp ? this.#world.clock.monotonicMs() - this.#upSinceMs : 0;
  }

  get boots(): readonly Boot[] {
    return [{ bootId: this.#bootIdOf(0), atMs: this.#firstAtMs, cause: 'first' }, ...(this.#later ?? [])];
  }

  #bootIdOf(number: number): string {
    return deriveBootId(this.#world.seed, `boot ${number} of ${this.#owner.address}`);
  }

  /** Calls back after so long, if the host has been up all the time. */
  after(ms: number, callback: () => void): void {
    wait(this.#world, ms, this.unlessDown(callback));
  }

  /** The same, but does nothing once the host has gone down. */
  unlessDown(callback: () => void): () => void {
    const era = this.#era;
    return () => {
      if (this.isUp && era === this.#era) callback();
    };
  }

  /** As a command asks for it. */
  reboot(): void {
    const { faults } = this.#owner;
    if (faults?.hit('reboot_never')) return;
    const lateMs = faults?.hit('reboot_late')?.byMs ?? 0;
    this.after(this.#world.times.rebootDelayMs + lateMs, () => {
      this.off('asked');
      this.on('asked');
    });
  }

  off(cause: DownCause = 'by_itself'): void {
    this.#era += 1;
    if (!this.isUp) return;
    this.isUp = false;
    this.#owner.wentDown(cause);
  }

  on(cause: DownCause = 'by_itself'): void {
    if (this.isUp) return;
    this.#era += 1;
    const era = this.#era;
    wait(this.#world, this.#owner.bootMs, () => {
      if (era === this.#era) this.#comeUp(cause);
    });
  }

  #comeUp(cause: DownCause): void {
    const { clock } = this.#world;
    this.#upSinceMs = clock.monotonicMs();
    this.#later ??= [];
    this.#bootId = this.#bootIdOf(this.#later.length + 1);
    this.#later.push({ bootId: this.#bootId, atMs: clock.now(), cause });
    this.isUp = true;
    this.#owner.cameUp();
    const again = cause === 'asked' ? this.#owner.faults?.hit('reboot_twice') : undefined;
    if (again) this.after(again.afterMs, () => this.#rebootByItself());
    this.#continueLoop(cause);
  }

  #rebootByItself(): void {
    this.off();
    this.on();
  }

  #continueLoop(cause: DownCause): void {
    const { faults } = this.#owner;
    const loop = faults?.find('reboot_loop');
    this.#isLooping = loop !== undefined && (cause === 'asked' || this.#isLooping);
    if (loop === undefined || !this.#isLooping) return;
    this.after(loop.everyMs, () => {
      // The host may have recovered meanwhile.
      if (faults?.hit('reboot_loop')) this.#rebootByItself();
    });
  }
}
