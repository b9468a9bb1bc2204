import type { ServerResponse } from 'node:http';
import type { ResponseFault } from '../faults.ts';

const BYTE_INTERVAL_MS = 20;

function sendResponse(response: ServerResponse, { status, headers, body = '' }: Exclude<ResponseFault, string>): void {
  const isText = typeof body === 'string';
  response.writeHead(status, { 'content-type': isText ? 'text/plain; charset=utf-8' : 'application/json', ...headers });
  response.end(isText ? body : JSON.stringify(body));
}

function sendEndlessBody(response: ServerResponse): void {
  response.write(' ');
  const timer = setInterval(() => response.write(' '), BYTE_INTERVAL_MS);
  response.on('close', () => clearInterval(timer));
}

type BodyFault = 'truncate_response' | 'garble_response' | 'endless_response';

function sendBrokenBody(response: ServerResponse, fault: BodyFault): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  if (fault === 'garble_response') response.end('<html>not from the API at all');
  else if (fault === 'truncate_response') response.write('{"kind":"Status","me', () => response.socket?.destroy());
  else sendEndlessBody(response);
}

/** Sends the response with the fault instead of the usual response. */
export function applyFault(response: ServerResponse, fault: ResponseFault): void {
  if (typeof fault === 'object') sendResponse(response, fault);
  else if (fault === 'cut_response') response.socket?.destroy();
  else if (fault !== 'hang_response') sendBrokenBody(response, fault);
}
