import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen } from '../harness/listen.ts';

interface ToyNode {
  readonly name: string;
  version: number;
  mark: string | null;
}

/** The server of the toy: `GET`, `PUT` and `DELETE` of `/nodes/{address}`. A change names the version that it is based on. */
export async function startToyServer() {
  const nodes = new Map<string, ToyNode>();
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const answer = (status: number, value: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    const address = decodeURIComponent(request.url?.replace(/^\/nodes\//, '') ?? '');
    const node = nodes.get(address);
    if (request.url === '/') return answer(200, {});
    if (request.method === 'DELETE') return answer(200, { was: nodes.delete(address) });
    if (node === undefined) return answer(404, {});
    if (request.method === 'PUT') {
      const { version, mark }: { version: number; mark: string | null } = JSON.parse(body);
      if (version !== node.version) return answer(409, {});
      node.version += 1;
      node.mark = mark;
    }
    return answer(200, node);
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    nodes,
    /** What a host comes to that has joined. */
    join: (address: string) => nodes.set(address, { name: `toy-${address}`, version: 1, mark: null }),
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
