import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { Needs } from '../../session/needs.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty, Loading, Page, Panel } from '../../ui/page.tsx';
import { ProblemBox } from '../../ui/problem-box.tsx';
import { Status } from '../../ui/status.tsx';
import { Table } from '../../ui/table.tsx';
import { When } from '../../ui/when.tsx';
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

function Tokens() {
  const [isMaking, setMaking] = useState(false);
  const { data: tokens, error } = useQuery({
    queryKey: keys.tokens,
    queryFn: () => answerOf(api.listTokens()),
  });
  const make = (
    <Button kind="primary" onClick={() => setMaking(true)}>
      Make a token
    </Button>
  );
  return (
    <Page title={TITLE} actions={make}>
      <ProblemBox problem={error} />
      <Panel title="By which hosts enrol themselves" isFlush>
        {tokens === undefined && error === null && <Loading what="tokens" />}
        {tokens?.length === 0 && <Nothing />}
        {tokens !== undefined && tokens.length > 0 && (
          <Table
            label={TITLE}
            rows={tokens}
            keyOf={({ name }) => name}
            columns={[
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
              { title: 'Hosts', align: 'end', cell: ({ used, uses }) => `${used} of ${uses}` },
              { title: 'From', cell: ({ cidr }) => (cidr === '' ? 'anywhere' : <code>{cidr}</code>) },
              { title: 'Expires', cell: ({ expires_at }) => <When at={expires_at} as="ago" /> },
              { title: 'Made', cell: ({ created_at }) => <When at={created_at} as="ago" /> },
              { title: 'Actions', align: 'end', cell: ({ name }) => <RemoveToken name={name} /> },
            ]}
          />
        )}
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
