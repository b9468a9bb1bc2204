import { describe, expect, test } from 'vitest';
import { serviceUrlProblem } from './service-url.ts';

describe('where hosts find the service', () => {
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
  ])('%s', (url, problem) => {
    if (problem) expect(serviceUrlProblem(url)).toMatch(problem);
    else expect(serviceUrlProblem(url)).toBeUndefined();
  });
});
