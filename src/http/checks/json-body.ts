import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ErrorCode } from '../../domain/errors.ts';
import { Refusal } from '../../domain/errors.ts';
import { Refused } from '../problems/refused.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

const refused = (code: ErrorCode, detail: string) => new Refused(new Refusal(code, detail));

const isJson = (contentType: string | undefined) =>
  contentType === undefined || /^\s*(application\/json\s*(;.*)?)?$/i.test(contentType);

/** JSON is the only content type; a missing one is taken as JSON, and an empty body as none. */
export function readJsonBodies(server: FastifyInstance): void {
  const parseJson = server.getDefaultJsonParser('error', 'error');
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (request: FastifyRequest, bytes: Buffer, done) => {
    if (!isJson(request.headers['content-type'])) {
      done(refused('unsupported_media_type', 'bodies are JSON: send Content-Type: application/json'));
      return;
    }
    if (bytes.length === 0) {
      done(null, undefined);
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
      else if (value === null) done(refused('invalid_body', 'the body must be object'));
      else done(null, value);
    });
  });
}
