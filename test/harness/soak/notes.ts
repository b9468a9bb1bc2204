import type { Acknowledged } from './acknowledged.ts';
import { answeredEverywhere } from './answered-everywhere.ts';
import { Routine } from './routine.ts';
import type { Site } from './site.ts';

const PAUSE_MS = 200;
/** So many are there at once. */
const KEPT = 20;

/** Records that are written at any server, must then be known to all, and are removed some time later. */
export class Notes {
  readonly routine: Routine;
  readonly #site: Site;
  readonly #acknowledged: Acknowledged;
  readonly #kept: string[] = [];

  constructor(site: Site, acknowledged: Acknowledged) {
    this.#site = site;
    this.#acknowledged = acknowledged;
    this.routine = new Routine('records', PAUSE_MS, number => this.#round(`note-${number}`));
  }

  /** What was acknowledged, and is not there. */
  async missing(): Promise<readonly string[]> {
    const problems = await Promise.all(this.#kept.map(name => this.#expect(name, 200)));
    return problems.flat();
  }

  async #round(name: string): Promise<readonly string[]> {
    const { people } = this.#site;
    await people.insist(`cluster/${name}`, { method: 'PUT', body: { network: 'default' } });
    this.#acknowledged.add('cluster.created', name);
    this.#kept.push(name);
    const there = await this.#expect(name, 200);
    const oldest = this.#kept.length > KEPT ? this.#kept.shift() : undefined;
    if (oldest === undefined) return there;
    const stillThere = await this.#expect(oldest, 200);
    await this.#site.remove(`cluster/${oldest}`);
    this.#acknowledged.add('cluster.removed', oldest);
    return [...there, ...stillThere, ...(await this.#expect(oldest, 404))];
  }

  #expect(name: string, status: number): Promise<readonly string[]> {
    return answeredEverywhere(this.#site, `cluster/${name}`, status);
  }
}
