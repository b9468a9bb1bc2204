import { describe, expect, test } from 'vitest';
import { removeMember } from '../../src/app/clusters/change-members.ts';
import { LOCAL_ACTOR } from '../../src/domain/accounts/account.ts';
import type { Address } from '../../src/domain/addresses/address.ts';
import { toRecordName } from '../../src/domain/record-name.ts';
import { drivers as standardDrivers } from '../../src/drivers/index.ts';
import type { CommandSimulator } from '../../src/simulator/simulated-machine.ts';
import { simulatedResult } from '../../src/simulator/simulated-machine.ts';
import { optionsConform } from '../conformance/driver-options.ts';
import type { FixtureHost } from '../conformance/network.ts';
import { networkConforms } from '../conformance/network.ts';
import { networkContext } from '../harness/driver-contexts.ts';
import { describeInMinimalRoot, inMinimalRoot } from '../harness/shells/minimal-root.ts';
import { simulate } from '../harness/simulation/simulate.ts';
import { CHECK_RUNNING, JOIN, LEAVE, toy } from './toy-network.ts';

const OPTIONS = { network: '10.9.0.0/16', key: 'network key' };

optionsConform(toy, {
  good: [['a network and a key', OPTIONS]],
  bad: [['no key', { network: OPTIONS.network }, ['/key']]],
});

/** Stand-in for toynetd that runs while a file exists. */
const TOYNETD = `case $1 in
  start) echo started >>/toynetd-starts; : >/toynetd-running ;;
  stop) rm -f /toynetd-running ;;
  running) [ -e /toynetd-running ] ;;
esac`;

const onHost = (use: (host: FixtureHost) => void): void => {
  const files = { '/etc/hostname': 'host', '/toynetd-starts': '' };
  inMinimalRoot({ files, tools: { toynetd: TOYNETD }, programs: ['cat', 'mv'] }, root =>
    use({
      run: root.run,
      tree: () => Object.fromEntries(Object.entries(root.tree()).filter(([name]) => !name.startsWith('/toynetd-'))),
      starts: () => root.tree()['/toynetd-starts']?.match(/started/g)?.length ?? 0,
    }),
  );
};

describeInMinimalRoot('a toy network on a host', () =>
  networkConforms('toynet', { open: () => toy.open(networkContext(OPTIONS)), onHost }),
);

/** A simulated host with toynetd. */
const toynetdFake: CommandSimulator = {
  templates: {},
  execute: ({ services }, [, , script], { input }) => {
    if (script === CHECK_RUNNING) return simulatedResult(services.has('toynetd') ? 0 : 1);
    if (script === LEAVE) services.delete('toynetd');
    else if (script === JOIN && input === `${OPTIONS.key}\n`) services.add('toynetd');
    else return undefined;
    return simulatedResult(0);
  },
};

describe('a host in a cluster with a new network', () => {
  const HOST = '127.0.0.1' as Address;
  const web = toRecordName('web');

  test('joins, leaves, and the key is in no command', async () => {
    const { simulation, end } = await simulate('sqlite', {
      drivers: { ...standardDrivers, network: [...standardDrivers.network, toy] },
      commonSimulators: [toynetdFake],
    });
    try {
      await simulation.startServer();
      await simulation.makeCluster('web', undefined, { type: 'toynet', options: OPTIONS });
      await simulation.enrolHosts([HOST], {}, { cluster: web });
      await simulation.waitForStatus(HOST, 'active');
      const { services } = simulation.fleet.host(HOST).machine;
      expect(services).toContain('toynetd');
      await removeMember(simulation.ports, LOCAL_ACTOR, web, HOST);
      await simulation.clock.advanceUntil(async () => !services.has('toynetd'), 60_000);
      expect(simulation.commandsRunOn(HOST).join('\n')).not.toContain(OPTIONS.key);
    } finally {
      await end();
    }
  });
});
