import { describe, expect, test } from 'vitest';
import { ApiError, ServiceUnreachableError } from '#sdk/errors.ts';
import { errorMessage } from './error-message.ts';

const rejectedError = (detail: string, errors?: { path: string; message: string }[]) =>
  new ApiError(400, {
    ...{ type: 'about:blank', title: 'Bad', status: 400, code: 'invalid_body', request_id: 'r1', detail },
    ...(errors && { errors }),
  });

const NAME = { path: '/name', message: 'must be short' };
const PORT = { path: '/ssh_port', message: 'must be 1 to 65535' };

describe('errorMessage', () => {
  test('formats the detail as a sentence', () => {
    expect(errorMessage(rejectedError('the cluster is in use')).text).toBe('The cluster is in use.');
  });

  test('lists each invalid field once', () => {
    const { fields, requestId } = errorMessage(rejectedError('the body is wrong', [NAME, PORT, NAME]));
    expect(fields).toEqual(['Name must be short.', 'Port must be 1 to 65535.']);
    expect(requestId).toBe('r1');
  });

  test('lists a single field only if the detail does not mention it', () => {
    expect(errorMessage(rejectedError('name must be short', [NAME]))).toMatchObject({
      text: 'Name must be short.',
      fields: [],
    });
    expect(errorMessage(rejectedError('the body is wrong', [NAME])).fields).toEqual(['Name must be short.']);
  });

  test('replaces a detail that only lists JSON paths', () => {
    const item = { path: '/hosts/0/ssh_port', message: 'must be 1 to 65535' };
    const { text, fields } = errorMessage(
      rejectedError('name must be short; hosts/0/ssh_port must be 1 to 65535', [NAME, item]),
    );
    expect(text).toBe('Some values are not valid. Fix them and try again.');
    expect(fields).toEqual(['Name must be short.', 'Port must be 1 to 65535.']);
  });

  test('names conflicting fields of an enrolled host by their form labels', () => {
    const path = (field: string) => ({
      path: `/hosts/2/${field}`,
      message: 'differs from the enrolled host',
    });
    const { problem } = rejectedError('the host a is already enrolled', [path('ssh_priv_key'), path('ssh_port')]);
    expect(errorMessage(new ApiError(409, { ...problem, code: 'host_conflict' }))).toEqual({
      text: 'Already enrolled with a different private key and port. To change the credentials, use “Replace credentials” on the page of the host. To enrol the host again, remove it first (“Remove host”).',
      fields: [],
      requestId: 'r1',
    });
  });

  test('shows only the status of a response from a proxy', () => {
    const page = {
      ...rejectedError('<h1>no</h1>').problem,
      code: 'unexpected_response',
      status: 502,
      title: 'Bad Gateway',
    };
    expect(errorMessage(new ApiError(502, page)).text).toBe(
      'Unexpected response from a proxy or another server: 502 Bad Gateway. Check the address and the proxy.',
    );
  });

  test('explains an unreachable server', () => {
    const { text } = errorMessage(new ServiceUnreachableError(['http://127.0.0.1:1'], undefined));
    expect(text).toMatch(/^Cannot reach the server\. Check that it is running/);
  });
});
