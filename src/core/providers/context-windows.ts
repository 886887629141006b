/**
 * Tokens that models take, by how their ids begin; the first that fits holds. Gathered with the prices. Ids of
 * OpenRouter and SiliconFlow name the maker first.
 */
const windows: readonly (readonly [model: RegExp, tokens: number])[] = [
  [/^gpt-(6|5\.6)/, 1_050_000],
  [/^gpt-5\.4-(mini|nano)/, 400_000],
  [/^claude-(opus-(5|4-8)|sonnet-5)/, 1_000_000],
  [/^claude-/, 200_000],
  [/^gemini-(2\.5|3)/, 1_048_576],
  [/^deepseek-(v4|chat)/i, 1_000_000],
  [/^grok-4\.[57]/, 500_000],
  [/^grok-4\.3/, 1_000_000],
  [/^kimi-k3/i, 1_048_576],
  [/^kimi-k2/i, 262_144],
  [/^qwen3(\.7-max|\.6-plus|\.5-flash)/i, 1_000_000],
  [/^qwen3-max/i, 262_144],
  [/^glm-5\.[23]/i, 1_000_000],
  [/^glm-5\.1/i, 200_000],
  [/^doubao-seed-2/, 256_000],
  [/^ernie-4\.5-turbo-128k/, 128_000],
  [/^ernie-(5|4\.5-turbo-32k)/, 32_000],
];

export function contextWindowOf(vendor: string, model: string): number | null {
  const plain =
    vendor === 'openrouter' || vendor === 'siliconflow' ? (model.split('/').pop() ?? model) : model;
  return windows.find(([begins]) => begins.test(plain))?.[1] ?? null;
}
