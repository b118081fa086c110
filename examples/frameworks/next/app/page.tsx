'use client';
import { useState } from 'react';
import { useChat } from '@ai-sdk/react';

export default function Page() {
  const { messages, sendMessage } = useChat();
  const [text, setText] = useState('');
  return (
    <main>
      {messages.map(({ id, role, parts }) => (
        <p key={id}>
          {role}: {parts.map((part) => (part.type === 'text' ? part.text : '')).join('')}
        </p>
      ))}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setText('');
          void sendMessage({ text });
        }}
      >
        <input aria-label="Message" value={text} onChange={(event) => setText(event.target.value)} />
      </form>
    </main>
  );
}
