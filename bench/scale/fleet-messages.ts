// What servers and the bench say to each other about pretend hosts, over the channel that Node has between a process and its child.

import type { Argv } from '../../src/domain/command.ts';
import type { TransportFailureKind } from '../../src/domain/transport-failure.ts';

/** From a server. A connection is known by the number of the question that opened it. */
export type FleetQuestion =
  | { readonly kind: 'connect'; readonly id: number; readonly address: string; readonly user: string }
  | {
      readonly kind: 'run';
      readonly id: number;
      readonly connection: number;
      readonly argv: Argv;
      readonly asRoot: boolean;
    }
  | { readonly kind: 'close'; readonly connection: number };

/** To a server. Output is a text in which each character is a byte. */
export type FleetAnswer = { readonly id: number } & (
  | { readonly kind: 'connected'; readonly hostKey: string }
  | { readonly kind: 'ran'; readonly exitCode: number; readonly stdout: string; readonly stderr: string }
  | { readonly kind: 'failed'; readonly failure: TransportFailureKind; readonly detail: string }
);
