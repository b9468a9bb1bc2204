import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Static } from 'typebox';
import type { Token } from '#contract/routes/tokens.ts';
import { answerOf, api } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { Needs } from '../../session/needs.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty, Page, Panel } from '../../ui/page.tsx';
import { Read } from '../../ui/read.tsx';
import { Status } from '../../ui/status.tsx';
import type { Column } from '../../ui/tables/table.tsx';
import { Table } from '../../ui/tables/table.tsx';
import { When } from '../../ui/when.tsx';
import { numberText } from '../../ui/words/counted.ts';
import { RemoveToken } from './remove-token.tsx';
import { TokenDialog } from './token-dialog.tsx';

const TITLE = 'Enrolment tokens';

const Nothing = () => (
  <Empty title="There is no token yet.">
    <p>
      A token lets new hosts in without a person, and without a private key that travels: it has a secret that
      you give to hosts, for so many of them, for so long, from a network of yours.
    </p>
    <p>
      For hosts with cloud-init a <Link to="/clusters">cluster</Link> makes user-data with a token in it.
    </p>
  </Empty>
);

const COLUMNS: readonly Column<Static<typeof Token>>[] = [
  { title: 'Name', isName: true, cell: ({ name }) => name },
  { title: 'State', cell: ({ state }) => <Status of={state} /> },
  {
    title: 'Cluster',
    cell: ({ cluster }) =>
      cluster === '' ? (
        'none'
      ) : (
        <Link to="/clusters/$name" params={{ name: cluster }}>
          {cluster}
        </Link>
      ),
  },
  { title: 'Hosts', align: 'end', cell: ({ used, uses }) => `${numberText(used)} of ${numberText(uses)}` },
  { title: 'From', cell: ({ cidr }) => (cidr === '' ? 'anywhere' : <code>{cidr}</code>) },
  { title: 'Expires', cell: ({ expires_at }) => <When at={expires_at} as="ago" /> },
  { title: 'Made', cell: ({ created_at }) => <When at={created_at} as="ago" /> },
  { title: 'Actions', align: 'end', cell: ({ name }) => <RemoveToken name={name} /> },
];

function Tokens() {
  const [isMaking, setMaking] = useState(false);
  const query = useQuery({ queryKey: keys.tokens, queryFn: () => answerOf(api.listTokens()) });
  const make = (
    <Button kind="primary" onClick={() => setMaking(true)}>
      Make a token
    </Button>
  );
  return (
    <Page title={TITLE} actions={make}>
      <Panel title="By which hosts enrol themselves" isFlush>
        <Read of={query} what="tokens">
          {tokens =>
            tokens.length === 0 ? (
              <Nothing />
            ) : (
              <Table label={TITLE} rows={tokens} keyOf={({ name }) => name} columns={COLUMNS} />
            )
          }
        </Read>
      </Panel>
      {isMaking && <TokenDialog onClose={() => setMaking(false)} />}
    </Page>
  );
}

/** Tokens by which hosts enrol themselves; for admins. */
export const TokensPage = () => (
  <Needs route="listTokens" title={TITLE}>
    <Tokens />
  </Needs>
);
