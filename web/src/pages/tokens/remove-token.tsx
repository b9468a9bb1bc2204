import { useState } from 'react';
import { api } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/forms/confirm.tsx';
import { notice } from '../../ui/notices.tsx';

export function RemoveToken({ name }: { readonly name: string }) {
  const [isAsked, setAsked] = useState(false);
  const remove = async () => {
    await api.removeToken({ name });
    notice(`The token ${name} is removed.`);
  };
  return (
    <>
      <Button
        size="small"
        kind="danger"
        aria-label={`Remove the token ${name}`}
        onClick={() => setAsked(true)}
      >
        Remove
      </Button>
      <Confirm
        title={`Remove the token ${name}?`}
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        verb={`Remove ${name}`}
        isDangerous
        ask={remove}
      >
        <p>Nobody is let in by it any more. Hosts that were stay as they are.</p>
      </Confirm>
    </>
  );
}
