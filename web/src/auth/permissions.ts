import type { RouteName } from '#contract/index.ts';
import { routes } from '#contract/index.ts';
import type { RouteDefinition } from '#contract/route-definition.ts';
import type { Role } from '#vocabulary';

/** Whether a role may call a route: what it may not is not offered. */
export function canCall(role: Role, name: RouteName): boolean {
  const { roles }: RouteDefinition = routes[name];
  return roles === 'anyone' || roles.includes(role);
}

/** Why not, where that would surprise; nothing for who may. */
export function getDeniedReason(role: Role, name: RouteName): string | undefined {
  const { roles }: RouteDefinition = routes[name];
  if (roles === 'anyone' || roles.includes(role)) return undefined;
  return `Requires the ${roles.join(' or ')} role. Your role is ${role}.`;
}
