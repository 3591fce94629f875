export interface Conversation {
  prompts: string[];
  results: { tool: string; ok: boolean; text: string }[];
  answers: number;
}

export interface Line {
  text: string;
  calls: { name: string; args: Record<string, unknown> }[];
}

export function rehearse(conversation: Conversation): Line {
  return { text: `Nothing to do after ${conversation.answers} answers.`, calls: [] };
}
