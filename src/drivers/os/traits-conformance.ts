import type { SystemTraits } from './os-driver.ts';

const TOOLS = ['dnf', 'bootc', 'transactional-update'];

/** Every combination of what drivers look at. */
export const TRAITS: readonly SystemTraits[] = [false, true].flatMap(isOstree =>
  [false, true].flatMap(isContainerImage =>
    ['', 'coreos', 'server'].flatMap(variantId =>
      TOOLS.reduce<string[][]>((sets, tool) => sets.flatMap(set => [set, [...set, tool]]), [[]]).map(
        tools => ({
          isOstree,
          isContainerImage,
          variantId,
          versionId: '1',
          tools: new Set(tools),
        }),
      ),
    ),
  ),
);
