// Replaces commctl in documents: sends the same requests and prints the responses as YAML.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { stringify } from 'yaml';
import { commctlRequests } from './commctl-requests.ts';

const file = process.env['COMMCTL_CONFIG'] ?? path.join(process.env['HOME'] ?? '', '.commissaire.json');
const { endpoint, username, password } = JSON.parse(readFileSync(file, 'utf8'));
const credentials = Buffer.from(`${username}:${password}`).toString('base64');

for (const { method, path: target, body } of commctlRequests(process.argv.slice(2))) {
  const response = await fetch(`${endpoint}${target}`, {
    method,
    headers: { authorization: `Basic ${credentials}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) {
    process.stderr.write(`Unable to ${method} the object at ${target}: ${response.status}\n`);
    process.exitCode = 2;
  } else process.stdout.write(stringify(JSON.parse(text)));
}
