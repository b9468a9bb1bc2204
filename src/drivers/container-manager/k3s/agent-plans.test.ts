import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Address } from '../../../domain/addresses/address.ts';
import { k3sJoinPlan } from './agent-plans.ts';

const TOKEN = `K10${'0a'.repeat(32)}::server:it's"quoted"\\$(quoted)`;
const options = { server_url: 'https://[::1]:6443/', token: TOKEN, api_token: 'x' };
const host = { address: '127.0.0.1' as Address, hostname: 'n1' };

test('k3s join plan contains the token only in the input of one command', () => {
  const sha256 = createHash('sha256').digest('hex');
  const download = { binary_url: 'https://files.example/k3s', binary_sha256: sha256 };
  const plan = k3sJoinPlan('nodes', { ...options, ...download }, host);
  expect(JSON.stringify(plan)).not.toContain('quoted');
  expect(plan.commands.map(({ argv }) => argv.slice(4))).toEqual([[], Object.values(download)]);
  expect(plan.commands[1]).not.toHaveProperty('input');
  expect(parse(plan.commands[0]?.input?.reveal() ?? '')).toEqual({
    server: 'https://[::1]:6443',
    token: TOKEN,
    'node-ip': '127.0.0.1',
  });
});

test.each([
  [0, 'active\n', ''],
  [3, 'activating\n', expect.stringMatching(/^k3s-agent.service is activating; see journalctl/)],
  [127, '', undefined],
])('k3s ready query for exit code %d and output %j returns %j', (exitCode, output, expected) => {
  const result = { exitCode, stdout: Buffer.from(output), stderr: Buffer.from('') };
  expect(k3sJoinPlan('nodes', options, host).readyQuery?.parse(result)).toEqual(expected);
});
