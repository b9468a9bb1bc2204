// A hostile host puts shell metacharacters into all its output. None of its text may appear in a command sent
// to any host.

import { expect, test } from 'vitest';
import type { Argv, CommandResult } from '../../src/domain/command.ts';
import type { RunOptions, Transport } from '../../src/drivers/transport/transport.ts';
import { createActiveCluster } from '../harness/active-cluster.ts';
import { startTestService } from '../harness/service.ts';
import { addHosts, createFleet } from '../harness/simulated-fleet.ts';
import { waitUntil } from '../harness/wait-until.ts';

const MARKER = 'n33dle';
/** Would end a quoted argument and start a command. */
const PAYLOAD = `${MARKER}';touch$IFS/tmp/${MARKER};'"\`$(${MARKER})`;

interface Exchange {
  /** All arguments and the standard input. */
  readonly input: string;
  readonly output: string;
}

/** Output that still parses, with the text in every place that a host controls. */
function injectPayload({ stdout, ...result }: CommandResult): CommandResult {
  const text = Buffer.from(stdout).toString();
  // The first line of a job's output contains the length of the rest.
  const hasOutput = /^hostler-job .*\n/.test(text) && text.length > 2 * PAYLOAD.length;
  const injected = hasOutput
    ? `${text.slice(0, -PAYLOAD.length - 1)}${PAYLOAD}\n`
    : text.replace(/^hostname .*/m, `hostname ${PAYLOAD}`).replace(/^(hostler-facts-begin)/m, `${PAYLOAD}\n$1`);
  return { ...result, stdout: Buffer.from(injected), stderr: Buffer.from(`${PAYLOAD}\n`) };
}

/** Wraps a transport so that every host is hostile. Records all traffic in `exchanges`. */
const withHostileHosts = (transport: Transport, exchanges: Exchange[]): Transport => ({
  connect: async (target, limits) => {
    const connection = await transport.connect(target, limits);
    if (!('run' in connection)) return connection;
    const run = async (argv: Argv, options: RunOptions) => {
      const result = await connection.run(argv, options);
      const injected = 'stdout' in result ? injectPayload(result) : result;
      exchanges.push({
        input: [...argv, options.input?.reveal() ?? ''].join('\n'),
        output: 'stdout' in injected ? Buffer.from(injected.stdout).toString() : '',
      });
      return injected;
    };
    return { hostKey: connection.hostKey, run, close: () => connection.close() };
  },
});

test('no command contains host output except the boot ID, from bootstrap to the end of an upgrade', async () => {
  const fleet = createFleet();
  const exchanges: Exchange[] = [];
  const service = await startTestService('sqlite', {}, { transport: withHostileHosts(fleet.transport, exchanges) });
  try {
    await createActiveCluster(service.client, 'c', addHosts(fleet, ['127.0.0.1', '127.0.0.2']));
    const { headers } = await service.put('/api/v0/cluster/c/upgrade', {
      policy: { min_healthy_s: 0, max_unavailable: 2 },
    });
    await waitUntil('the upgrade is finished', async () => {
      const { body } = await service.get<{ status: string }>(headers.get('location') ?? '');
      return body.status === 'finished';
    });
  } finally {
    await service.stop();
  }
  const [inputs, outputs] = [exchanges.map(exchange => exchange.input), exchanges.map(exchange => exchange.output)];
  expect(outputs.filter(text => text.startsWith('hostler-job') && text.includes(PAYLOAD))).not.toEqual([]);
  expect(outputs.filter(text => text.includes(`hostname ${PAYLOAD}`))).not.toEqual([]);
  expect(inputs.filter(text => text.includes(MARKER))).toEqual([]);
  // The test would detect text that is sent back: the boot ID is.
  const [bootId = 'none'] = outputs.flatMap(text => /^hostler-reboot (\S{36})/.exec(text)?.[1] ?? []);
  expect(inputs.filter(text => text.includes(bootId))).not.toEqual([]);
});
