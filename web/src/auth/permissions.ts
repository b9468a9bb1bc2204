import type { RouteName } from '#contract/index.ts';
import { routes } from '#contract/index.ts';
import type { RouteDefinition } from '#contract/route-definition.ts';
import type { Role } from '#vocabulary';

export function canCall(role: Role, name: RouteName): boolean {
  const { roles }: RouteDefinition = routes[name];
  return roles === 'anyone' || roles.includes(role);
}

export function getDeniedReason(role: Role, name: RouteName): string | undefined {
  const { roles }: RouteDefinition = routes[name];
  if (roles === 'anyone' || roles.includes(role)) return undefined;
  return `Requires the ${roles.join(' or ')} role. Your role is ${role}.`;
}
