import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../until.ts';
import type { Acknowledged } from './acknowledged.ts';
import { answeredEverywhere } from './answered-everywhere.ts';
import { Routine } from './routine.ts';
import type { Site } from './site.ts';
import { restOf } from './site.ts';

const PAUSE_MS = 1500;
const LOOK_EVERY_MS = 500;
const READY_WITHIN_MS = 180_000;

/** A host that is enrolled, brought in and removed, in turns with a cluster and without. */
export const guest = (site: Site, address: string, acknowledged: Acknowledged): Routine =>
  new Routine(`host ${address}`, PAUSE_MS, async number => {
    const { people } = site;
    const target = `host/${address}`;
    const [cluster, ready] = number % 2 === 0 ? [{ cluster: restOf(0) }, 'active'] : [{}, 'disassociated'];
    await people.insist(target, { method: 'PUT', body: { ...site.enrolment(address), ...cluster } });
    acknowledged.add('host.created', address);
    const isReady = async () => {
      await delay(LOOK_EVERY_MS);
      return ((await people.insist(target)).body as { status: string }).status === ready;
    };
    await until(`it is ${ready}`, isReady, READY_WITHIN_MS);
    await people.insist(`${target}/labels`, { method: 'PUT', body: { round: String(number) } });
    await site.remove(target);
    acknowledged.add('host.removed', address);
    return answeredEverywhere(site, target, 404);
  });
