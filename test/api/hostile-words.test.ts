// A host that says the same strange word in all its answers: the word comes back in no command, to it or to another.

import { expect, test } from 'vitest';
import type { Argv, CommandResult } from '../../src/domain/command.ts';
import type { RunOptions, Transport } from '../../src/drivers/transport/transport.ts';
import { startTestService } from '../harness/service.ts';
import { makeCluster, newFleet } from '../harness/simulated-service.ts';
import { until } from '../harness/until.ts';

const WORD = 'n33dle';
/** What would end a quoted text, and begin a command. */
const SAID = `${WORD}';touch$IFS/tmp/${WORD};'"\`$(${WORD})`;

interface Exchange {
  /** All arguments, and what the command reads. */
  readonly sent: string;
  readonly told: string;
}

/** An answer that is still understood, with the word wherever a host may choose what it says. */
function tainted({ stdout, ...ran }: CommandResult): CommandResult {
  const text = Buffer.from(stdout).toString();
  // The first line of a job says how long the rest is.
  const hasOutput = /^hostler-job .*\n/.test(text) && text.length > 2 * SAID.length;
  const told = hasOutput
    ? `${text.slice(0, -SAID.length - 1)}${SAID}\n`
    : text.replace(/^hostname .*/m, `hostname ${SAID}`).replace(/^(hostler-facts-begin)/m, `${SAID}\n$1`);
  return { ...ran, stdout: Buffer.from(told), stderr: Buffer.from(`${SAID}\n`) };
}

/** To hosts of which each answers so; all that is said is put into `exchanges`. */
const hostile = (transport: Transport, exchanges: Exchange[]): Transport => ({
  connect: async (target, limits) => {
    const connection = await transport.connect(target, limits);
    if (!('run' in connection)) return connection;
    const run = async (argv: Argv, options: RunOptions) => {
      const ran = await connection.run(argv, options);
      const answer = 'stdout' in ran ? tainted(ran) : ran;
      exchanges.push({
        sent: [...argv, options.input?.reveal() ?? ''].join('\n'),
        told: 'stdout' in answer ? Buffer.from(answer.stdout).toString() : '',
      });
      return answer;
    };
    return { hostKey: connection.hostKey, run, close: () => connection.close() };
  },
});

test('of what a host says nothing but its boot id is part of a command, from the bootstrap to the end of an upgrade', async () => {
  const fleet = newFleet();
  const exchanges: Exchange[] = [];
  const service = await startTestService('sqlite', {}, { transport: hostile(fleet.transport, exchanges) });
  try {
    await makeCluster(service, fleet, 'c', { '127.0.0.1': {}, '127.0.0.2': {} });
    const { headers } = await service.put('/api/v0/cluster/c/upgrade', {
      policy: { min_healthy_s: 0, max_unavailable: 2 },
    });
    await until('the upgrade is finished', async () => {
      const { body } = await service.get<{ status: string }>(headers.get('location') ?? '');
      return body.status === 'finished';
    });
  } finally {
    await service.stop();
  }
  const [sent, told] = [exchanges.map(each => each.sent), exchanges.map(each => each.told)];
  expect(told.filter(text => text.startsWith('hostler-job') && text.includes(SAID))).not.toEqual([]);
  expect(told.filter(text => text.includes(`hostname ${SAID}`))).not.toEqual([]);
  expect(sent.filter(text => text.includes(WORD))).toEqual([]);
  // What does come back is seen.
  const [bootId = 'none'] = told.flatMap(text => /^hostler-reboot (\S{36})/.exec(text)?.[1] ?? []);
  expect(sent.filter(text => text.includes(bootId))).not.toEqual([]);
});
