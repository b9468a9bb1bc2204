import type { FastifyInstance } from 'fastify';
import type { Log } from '../../lib/log.ts';
import { traceIdOf } from '../../lib/tracer.ts';

/**
 * One line for each request: not its query nor its body, which may hold what is nobody's business. It is written by hand, since
 * this is what the service does most: a logger takes three times as long.
 */
export function logRequests(server: FastifyInstance, log: Log): void {
  if (!log.isLevelEnabled('info')) return;
  server.addHook('onResponse', (request, reply, done) => {
    const { id, method, url, ip, actor } = request;
    const query = url.indexOf('?');
    const path = JSON.stringify(query === -1 ? url : url.slice(0, query));
    const account = actor ? `"account":${JSON.stringify(actor.account)},` : '';
    const traced = request.span ? `"traceId":"${traceIdOf(request.span.context)}",` : '';
    // Nobody knows the address of a caller that has gone meanwhile, whatever the type says.
    const address = JSON.stringify(ip ?? '');
    const ms = Math.round(reply.elapsedTime * 1000) / 1000;
    log.writeInfo(
      `"requestId":"${id}","method":${JSON.stringify(method)},"path":${path},"status":${reply.statusCode},` +
        `${traced}${account}"address":${address},"ms":${ms},"msg":"request"`,
    );
    done();
  });
}
