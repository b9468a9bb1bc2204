import { describe, expect, it } from 'vitest';
import { RequestRefused, ServiceUnreachable } from '#client/client.ts';
import { problemWords } from './problem-words.ts';

const refused = (detail: string, errors?: { path: string; message: string }[]) =>
  new RequestRefused(400, {
    ...{ type: 'about:blank', title: 'Bad', status: 400, code: 'invalid_body', request_id: 'r1', detail },
    ...(errors && { errors }),
  });

const NAME = { path: '/name', message: 'must be short' };
const PORT = { path: '/ssh_port', message: 'must be 1 to 65535' };

describe('problemWords', () => {
  it('tells a refusal as a sentence', () => {
    expect(problemWords(refused('the cluster is in use')).text).toBe('The cluster is in use.');
  });

  it('tells each field that is wrong, once', () => {
    const { fields, requestId } = problemWords(refused('the body is wrong', [NAME, PORT, NAME]));
    expect(fields).toEqual([NAME, PORT]);
    expect(requestId).toBe('r1');
  });

  it('tells a single field only where the sentence does not', () => {
    expect(problemWords(refused('name must be short', [NAME])).fields).toEqual([]);
    expect(problemWords(refused('the body is wrong', [NAME])).fields).toEqual([NAME]);
  });

  it('shows nothing of what a proxy has answered but its status', () => {
    const page = {
      ...refused('<h1>no</h1>').problem,
      code: 'not_hostler',
      status: 502,
      title: 'Bad Gateway',
    };
    expect(problemWords(new RequestRefused(502, page)).text).toBe(
      'Something between here and the service has answered: 502 Bad Gateway.',
    );
  });

  it('says what to do when nobody answers', () => {
    const { text } = problemWords(new ServiceUnreachable(['http://127.0.0.1:1'], undefined));
    expect(text).toMatch(/^The service does not answer\. Look whether it runs/);
  });
});
