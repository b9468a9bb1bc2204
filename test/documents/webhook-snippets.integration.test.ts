import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { describeWithPrograms } from '../harness/vitest/conditional-suites.ts';

const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/guides/webhooks.md'), 'utf8');
const snippet = (language: string) => page.split(`\`\`\`${language}\n`)[1]?.split('```')[0] ?? '';

const body = '{"id":1,"data":"ä"}';
const nowS = Math.floor(Date.now() / 1000);
const signed = (t: number, secret: string, text = body) =>
  `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${text}`).digest('hex')}`;

const CASES: readonly (readonly [signature: string, isGenuine: boolean])[] = [
  [signed(nowS, 'ours'), true],
  [signed(nowS, 'another'), false],
  [signed(nowS, 'ours', '{}'), false],
  [signed(nowS - 3600, 'ours'), false],
  [signed(nowS, 'ours').slice(0, -1), false],
  ['', false],
];
const signatures = CASES.map(([signature]) => signature);
const expected = CASES.map(([, isGenuine]) => isGenuine);

test('the receiver code for Node in webhooks.md verifies signatures', () => {
  const program = `${snippet('js')}
    const body = Buffer.from(${JSON.stringify(body)});
    console.log(JSON.stringify(${JSON.stringify(signatures)}.map(each => isGenuine(each, body, 'ours'))));`;
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', program]);
  expect(JSON.parse(output.toString())).toEqual(expected);
});

describeWithPrograms('the receiver code for Python in webhooks.md', ['python3'], () => {
  test('verifies signatures', () => {
    const program = `${snippet('python')}
import json
print(json.dumps([is_genuine(each, ${JSON.stringify(body)}.encode(), "ours") for each in ${JSON.stringify(signatures)}]))`;
    const output = execFileSync('python3', ['-c', program]);
    expect(JSON.parse(output.toString())).toEqual(expected);
  });
});
