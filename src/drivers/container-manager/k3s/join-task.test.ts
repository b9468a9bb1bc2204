import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Address } from '../../../domain/addresses/address.ts';
import { k3sJoinTask } from './join-task.ts';
import { k3sSettings } from './k3s-settings.ts';

const TOKEN = `K10${'0a'.repeat(32)}::server:it's"hush"\\$(hush)`;
const options = { server_url: 'https://[::1]:6443/', token: TOKEN, api_token: 'x' };
const host = { address: '127.0.0.1' as Address, hostname: 'n1' };

test('the token that an agent of k3s joins by is in the input of one command and nowhere else', () => {
  const sha256 = createHash('sha256').digest('hex');
  const download = { binary_url: 'https://files.example/k3s', binary_sha256: sha256 };
  const task = k3sJoinTask(k3sSettings({ name: 'nodes', options: { ...options, ...download } }), host);
  expect(JSON.stringify(task)).not.toContain('hush');
  expect(task.commands.map(({ argv }) => argv.slice(4))).toEqual([[], Object.values(download)]);
  expect(task.commands[1]).not.toHaveProperty('input');
  expect(parse(task.commands[0]?.input?.reveal() ?? '')).toEqual({
    server: 'https://[::1]:6443',
    token: TOKEN,
    'node-ip': '127.0.0.1',
  });
});

test.each([
  [0, 'active\n', ''],
  [3, 'activating\n', expect.stringMatching(/^k3s-agent.service is activating; see journalctl/)],
  [127, '', undefined],
])('a systemctl that ends with %d and says %j proves %j', (exitCode, said, proved) => {
  const ran = { exitCode, stdout: Buffer.from(said), stderr: Buffer.from('') };
  expect(k3sJoinTask(k3sSettings({ name: 'nodes', options }), host).proof?.read(ran)).toEqual(proved);
});
