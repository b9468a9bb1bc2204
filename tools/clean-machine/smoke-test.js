// The first actions of a new user: opens the dashboard, signs in, creates a cluster, signs out. The argument
// is the URL; the password comes from stdin.
//
// Plain JavaScript without dependencies, because the machine has only Node.

import { readFileSync } from 'node:fs';

const [url] = process.argv.slice(2);
const basic = password => `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`;
const password = basic(readFileSync(0, 'utf8'));
const wrongPassword = basic('not the password');
const dashboard = { 'hostler-dashboard': '1' };

/** Returns the response, or throws if its status is not the expected one. */
async function expectResponse(expected, method, path, headers = {}, body = undefined) {
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const response = await fetch(new URL(path, url), { method, body, headers: { ...headers, ...type } });
  const text = await response.text();
  if (response.status !== expected)
    throw new Error(`${method} ${path} returned ${response.status} instead of ${expected}: ${text}`);
  return { text, cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' };
}

await expectResponse(200, 'GET', '/readyz');
const page = await expectResponse(200, 'GET', '/');
const [, script] = /<script[^>]* src="([^"]+)"/.exec(page.text) ?? [];
if (!script) throw new Error(`the dashboard is missing: ${page.text.slice(0, 200)}`);
await expectResponse(200, 'GET', script);
await expectResponse(401, 'GET', '/api/v0/clusters');
await expectResponse(401, 'PUT', '/api/v0/session', { ...dashboard, authorization: wrongPassword });
const { cookie } = await expectResponse(201, 'PUT', '/api/v0/session', {
  ...dashboard,
  authorization: password,
});
const session = { ...dashboard, cookie };
await expectResponse(200, 'GET', '/api/v0/overview', session);
await expectResponse(201, 'PUT', '/api/v0/cluster/first', session, '{"network": "default"}');
const { text } = await expectResponse(200, 'GET', '/api/v0/clusters', { authorization: password });
if (text !== '["first"]') throw new Error(`expected one cluster, "first": ${text}`);
await expectResponse(200, 'DELETE', '/api/v0/session', session);
await expectResponse(401, 'GET', '/api/v0/overview', session);
console.log('signed in with the printed password and created a cluster');
