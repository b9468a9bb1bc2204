import { describe, expect, test } from 'vitest';
import { validateServiceUrl, validateWebhookUrl } from './url-validation.ts';

describe('validateServiceUrl', () => {
  test.each([
    ['https://hostler.example', undefined],
    ['http://127.0.0.1:8000/', undefined],
    ['https://[::1]:8000/hostler', undefined],
    ['hostler.example', /begins with https/],
    ['ftp://hostler.example', /begins with https/],
    ['https://hostler.example/ x', /begins with https/],
    ['http:foo', /begins with https/],
    ['http://h\\x', /a URL must encode/],
    ['http://h/{a,b}', /a URL must encode/],
    ['http://h/[a-c]', /a URL must encode/],
    ['https://u:p@hostler.example', /not contain a user name or password/],
    ['https://hostler.example/?a', /not contain a query or fragment/],
    ['https://hostler.example/#a', /not contain a query or fragment/],
  ])('validates %s', (url, problem) => {
    if (problem) expect(validateServiceUrl(url)).toMatch(problem);
    else expect(validateServiceUrl(url)).toBeUndefined();
  });
});

const longest = `https://hooks.example/${'x'.repeat(2048 - 'https://hooks.example/'.length)}`;

test.each([
  'https://hooks.example/in?token=1',
  'http://hooks.example:8080',
  'https://8.8.8.8/',
  'https://[2606:4700::1]:8443/x',
  'http://localhost/checked-after-dns-lookup',
  longest,
])('validateWebhookUrl accepts %s', url => {
  expect(validateWebhookUrl(url, false)).toBeUndefined();
});

test.each([
  ['a text without a scheme', 'hooks.example/in', /begins with https/],
  ['another scheme', 'ftp://hooks.example/', /begins with https/],
  ['a file', 'file:///etc/passwd', /begins with https/],
  ['a space', 'https://hooks.example/a b', /begins with https/],
  ['a line break', 'https://hooks.example/\nx', /begins with https/],
  ['an empty host', 'https://', /begins with https/],
  ['a user', 'https://me@hooks.example/', /not contain a user name or password/],
  ['a password', 'https://:x@hooks.example/', /not contain a user name or password/],
  ['a fragment', 'https://hooks.example/#x', /not contain a fragment/],
  ['an empty fragment', 'https://hooks.example/#', /not contain a fragment/],
  ['a URL that is too long', `${longest}x`, /at most 2048/],
])('validateWebhookUrl rejects %s', (_what, url, problem) => {
  expect(validateWebhookUrl(url, true)).toMatch(problem);
});

test.each([
  'http://127.0.0.1/',
  'http://127.1/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0177.0.0.1/',
  'http://127.0.0.1./',
  'http://169.254.169.254/latest/meta-data/',
  'http://[::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[fd00::1]/',
  'http://0/',
  'http://①②⑦.0.0.1/',
])('validateWebhookUrl accepts %s only if private addresses are allowed', url => {
  expect(validateWebhookUrl(url, false)).toMatch(/private address/);
  expect(validateWebhookUrl(url, true)).toBeUndefined();
});
