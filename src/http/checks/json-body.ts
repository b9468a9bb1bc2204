import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { BodySize } from '../../contract/route.ts';
import type { ErrorCode } from '../../domain/errors.ts';
import { AppError } from '../../domain/errors.ts';
import { Refused } from '../problems/refused.ts';
import type { BodyLimit } from './body-limits.ts';
import { measureJson } from './body-limits.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Nothing that is sent in earnest comes near it, and what walks through JSON need not fear for its stack. */
const MAX_DEPTH = 64;

const refused = (code: ErrorCode, detail: string) => new Refused(new AppError(code, detail));

const isJson = (contentType: string | undefined) =>
  contentType === undefined || /^\s*application\/json\s*(;.*)?$/i.test(contentType);

const isIdentity = (coding: string | undefined) => /^(identity)?$/i.test(coding?.trim() ?? '');

/** What was done to a body on its way, which nobody here undoes: what it says to others would not be what it says to us. */
function codingProblem({ headers, raw }: FastifyRequest): Refused | undefined {
  const framing = headers['transfer-encoding'];
  // HTTP/1.0 knows none (RFC 9112, 6.1).
  if (framing !== undefined && (!/^chunked$/i.test(framing.trim()) || raw.httpVersion === '1.0'))
    return refused('bad_request', 'Transfer-Encoding must be chunked, and requires HTTP/1.1');
  return isIdentity(headers['content-encoding'])
    ? undefined
    : refused('unsupported_media_type', 'Content-Encoding is not supported; send the body uncompressed');
}

/** JSON is the only content type; a missing one is taken as JSON, and an empty body as none. */
export function readJsonBodies(server: FastifyInstance, limits: Readonly<Record<BodySize, BodyLimit>>): void {
  // Keys that reach for the prototype are unknown fields like others, and left out.
  const parseJson = server.getDefaultJsonParser('remove', 'remove');
  server.removeAllContentTypeParsers();
  server.addHook('onRequest', ({ raw: { headers } }, _reply, done) => {
    if (headers['content-type']?.trim() === '') delete headers['content-type'];
    done();
  });
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (request: FastifyRequest, bytes: Buffer, done) => {
    const problem = codingProblem(request);
    if (problem) {
      done(problem);
      return;
    }
    if (!isJson(request.headers['content-type'])) {
      done(refused('unsupported_media_type', 'the body must be JSON; send Content-Type: application/json'));
      return;
    }
    if (bytes.length === 0) {
      done(null, undefined);
      return;
    }
    const { values: mostValues } = limits[request.routeOptions.config.row?.bodySize ?? 'small'];
    const { depth, values } = measureJson(bytes, { depth: MAX_DEPTH, values: mostValues });
    if (depth > MAX_DEPTH) {
      done(refused('invalid_body', `the body is nested more than ${MAX_DEPTH} levels deep`));
      return;
    }
    if (values > mostValues) {
      done(
        refused('body_too_large', `the body has more than ${mostValues} values; send fewer in one request`),
      );
      return;
    }
    let text: string;
    try {
      text = utf8.decode(bytes);
    } catch {
      done(refused('invalid_json', 'the body is not UTF-8'));
      return;
    }
    parseJson(request, text, (error, value) => {
      if (error) done(refused('invalid_json', 'the body is not valid JSON'));
      // Fastify does not tell it from a body that was not sent.
      else if (value === null) done(refused('invalid_body', 'the body must be an object'));
      else done(null, value);
    });
  });
}
