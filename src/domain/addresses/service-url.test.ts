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
    ['http://h\\x', /only in another form/],
    ['http://h/{a,b}', /only in another form/],
    ['http://h/[a-c]', /only in another form/],
    ['https://u:p@hostler.example', /no user and no password/],
    ['https://hostler.example/?a', /no query/],
    ['https://hostler.example/#a', /no query/],
  ])('%s', (url, problem) => {
    if (problem) expect(serviceUrlProblem(url)).toMatch(problem);
    else expect(serviceUrlProblem(url)).toBeUndefined();
  });
});
