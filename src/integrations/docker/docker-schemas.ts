// The used fields of the Engine API. Unknown fields are kept, because objects such as a node spec are written back.

import type { Static } from 'typebox';
import Type from 'typebox';
import { schemaParser, schemaParserOr } from '../http/schema-parser.ts';

/** Go serializes nil slices and maps as null. */
const orNull = <S extends Parameters<typeof Type.Optional>[0]>(schema: S) =>
  Type.Optional(Type.Union([schema, Type.Null()]));

const versionSchema = Type.Object({ Version: Type.String() });

const infoSchema = Type.Object({
  Swarm: Type.Object({
    LocalNodeState: Type.String(),
    ControlAvailable: Type.Boolean(),
    RemoteManagers: orNull(
      Type.Array(
        Type.Object({
          NodeID: Type.String(),
          /** `host:port`; nodes join at this address. */
          Addr: Type.String(),
        }),
      ),
    ),
  }),
});

const swarmSchema = Type.Object({ JoinTokens: Type.Object({ Worker: Type.String({ minLength: 1 }) }) });

const nodeSpecSchema = Type.Object({
  /** `active`; `pause`: gets no new tasks; `drain`: also loses its tasks. */
  Availability: Type.Optional(Type.String()),
  Role: Type.Optional(Type.String()),
  Labels: orNull(Type.Record(Type.String(), Type.String())),
});

const nodeSchema = Type.Object({
  ID: Type.String({ minLength: 1 }),
  Version: Type.Object({ Index: Type.Number() }),
  CreatedAt: Type.Optional(Type.String()),
  Spec: nodeSpecSchema,
  Description: Type.Optional(Type.Object({ Hostname: Type.Optional(Type.String()) })),
  Status: Type.Optional(
    Type.Object({
      State: Type.Optional(Type.String()),
      /** The source address of its connection to the managers. */
      Addr: Type.Optional(Type.String()),
    }),
  ),
  ManagerStatus: orNull(
    Type.Object({
      Reachability: Type.Optional(Type.String()),
      Addr: Type.Optional(Type.String()),
    }),
  ),
});

const taskSchema = Type.Object({
  ID: Type.String(),
  DesiredState: Type.Optional(Type.String()),
  Status: Type.Optional(Type.Object({ State: Type.Optional(Type.String()) })),
});

export type DockerVersion = Static<typeof versionSchema>;
export type DockerInfo = Static<typeof infoSchema>;
export type SwarmNodeSpec = Static<typeof nodeSpecSchema>;
export type SwarmNode = Static<typeof nodeSchema>;
export type SwarmTask = Static<typeof taskSchema>;

export const readVersion = schemaParser('the version of the Engine', versionSchema);
export const readInfo = schemaParser('the information of the Engine', infoSchema);
export const readSwarm = schemaParser('the swarm of the Engine', swarmSchema);
export const readNode = schemaParser('a node of the Engine', nodeSchema);
export const readNodes = schemaParser('the list of nodes of the Engine', Type.Array(nodeSchema));
export const readTasks = schemaParser('the list of tasks of the Engine', Type.Array(taskSchema));

const readError = schemaParserOr(Type.Object({ message: Type.String() }), { message: '' });

export const errorMessage = (body: unknown): string => readError(body).message;
