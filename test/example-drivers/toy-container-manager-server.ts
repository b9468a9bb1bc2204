import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '../harness/http/sockets.ts';

interface ToyNode {
  readonly name: string;
  version: number;
  mark: string | null;
}

/**
 * Server of the toy container manager: `GET`, `PUT` and `DELETE` of `/nodes/{address}`. A change names the
 * version on which it is based.
 */
export async function startToyServer() {
  const nodes = new Map<string, ToyNode>();
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const respond = (status: number, value: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    const address = decodeURIComponent(request.url?.replace(/^\/nodes\//, '') ?? '');
    const node = nodes.get(address);
    if (request.url === '/') return respond(200, {});
    if (request.method === 'DELETE') return respond(200, { was: nodes.delete(address) });
    if (node === undefined) return respond(404, {});
    if (request.method === 'PUT') {
      const { version, mark }: { version: number; mark: string | null } = JSON.parse(body);
      if (version !== node.version) return respond(409, {});
      node.version += 1;
      node.mark = mark;
    }
    return respond(200, node);
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    nodes,
    /** Adds a node, as a host does that joins. */
    join: (address: string) => nodes.set(address, { name: `toy-${address}`, version: 1, mark: null }),
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
