// Freezes a server at each call and each response of a bootstrap. Another server takes over, then the first one thaws.
// None of its writes may reach the host or the store.

import { expect, test } from 'vitest';
import type { Address } from '../../src/domain/addresses/address.ts';
import { toRecordName } from '../../src/domain/record-name.ts';
import { describeSimulation } from '../harness/simulation/simulate.ts';
import { MINUTE } from '../harness/simulation/simulation-options.ts';
import { IS_LONG_RUN } from '../harness/vitest/long-run.ts';

/** Upper limit, above the number of calls in a bootstrap. */
const MAX_CALLS = 400;
/** Only the long run freezes at every call, because that takes many minutes on PostgreSQL. */
const [STRIDES, TIMEOUT_MS] = IS_LONG_RUN
  ? [{ sqlite: 1, postgres: 1 }, 3_600_000]
  : [{ sqlite: 5, postgres: 17 }, 240_000];

describeSimulation(
  'a server that freezes until its lease expires',
  {
    per: 'suite',
    // No health check is due during the test. A thawed server registers again and may then run checks.
    settings: { checkIntervalMs: 100 * 60 * MINUTE },
    prepare: simulation => simulation.makeCluster('web', 'nodes'),
  },
  (simulation, stored) => {
    /** Without the server registrations, because a thawed server registers again. */
    const storedWithoutServers = async () => (await stored()).replace(/.*"incarnation".*\n?/g, '');

    const isActive = async (address: string) => (await simulation().describeStatus(address)) === 'active';

    /** What happens before the server thaws. Afterwards, no other server may write. */
    const SUCCESSORS = {
      /** The fence matters only here: a server without a task writes nothing. */
      'while another server bootstraps the host': async (address: string) => {
        const { control } = await simulation().startServer({ isShared: true });
        const hasClaimed = async () => new RegExp(`"host": ?"${address}".*"fence": ?2,`).test(await stored());
        const isBootstrapped = async () => (await simulation().store.reads.tasks.list(address as Address)).length === 0;
        await simulation().clock.advanceUntil(async () => (await hasClaimed()) || isBootstrapped(), 2 * MINUTE);
        control.inject('freeze_server');
        return async () => {
          control.revert('freeze_server');
          await simulation().waitForStatus(address, 'active', 2 * MINUTE);
          control.inject('kill_server');
        };
      },
      /** Removing the host removes its node. The thawed server must not restore either. */
      'after another server bootstrapped the host and it was removed': async (address: string) => {
        const { control, warnings } = await simulation().startServer({ isShared: true });
        await simulation().waitForStatus(address, 'active', 2 * MINUTE);
        await simulation().clock.advance(MINUTE / 2);
        expect(warnings).toEqual([]);
        await simulation().remove(address);
        await simulation().clock.advanceUntil(async () => !(await stored()).includes(`"${address}"`), MINUTE);
        control.inject('kill_server');
        return async () => {};
      },
    };

    /** Returns true if the bootstrap ended before the server reached the freeze point. */
    async function freezeAndThaw(
      address: string,
      freezesAtCall: number,
      takeOver: (address: string) => Promise<() => Promise<void>>,
    ): Promise<boolean> {
      simulation().addHost(address, { os: 'fedora' });
      await simulation().enrol(address, { cluster: toRecordName('web') });
      const { control: frozen } = await simulation().startServer({ isShared: true, freezesAtCall });
      await simulation().clock.advanceUntil(async () => frozen.isFrozen || (await isActive(address)), MINUTE);
      if (!frozen.isFrozen) {
        frozen.inject('kill_server');
        return true;
      }
      const end = await takeOver(address);
      const [before, commands] = [await storedWithoutServers(), simulation().commandsRunOn(address)];
      frozen.revert('freeze_server');
      await simulation().clock.advance(3000);
      expect(await storedWithoutServers(), `frozen at call ${freezesAtCall}`).toBe(before);
      expect(simulation().commandsRunOn(address), `frozen at call ${freezesAtCall}`).toEqual(commands);
      frozen.inject('kill_server');
      await end();
      return false;
    }

    test.each(Object.entries(SUCCESSORS))(
      'writes nothing to the host or the store if it thaws %s',
      {
        timeout: TIMEOUT_MS,
      },
      async (when, takeOver) => {
        const stride = STRIDES[simulation().store.isShared ? 'postgres' : 'sqlite'];
        const network = 3 + Object.keys(SUCCESSORS).indexOf(when);
        let call = 1;
        for (; call < MAX_CALLS; call += stride) {
          if (await freezeAndThaw(`127.${network}.${call >> 8}.${call & 255}`, call, takeOver)) break;
        }
        expect(call).toBeGreaterThan(30);
        expect(call).toBeLessThan(MAX_CALLS);
      },
    );
  },
);
