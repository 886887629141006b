import type { ToolEntry } from '../../../contract/tools';
import { useLayout } from '../../base/layout/layout';
import type { Schema, SchemaProperty } from '../../base/schema/schema';
import { listed } from '../../base/text/format';
import { t } from '../../base/text/text';
import { Markdown } from '../../ui/Markdown';
import { fieldsOf, shapeOf, typeText } from './shape';

export function ToolDocumentation({ tool, example }: { tool: ToolEntry; example: string }) {
  const askToOpen = useLayout((layout) => layout.askToOpen);
  const fields = fieldsOf(tool.inputSchema, tool.inputSchema);
  return (
    <div className="tool-page">
      {tool.description.trim() === '' ? (
        <p className="tool-quiet">{t('tools.noDescription')}</p>
      ) : (
        <Markdown text={tool.description} onLink={askToOpen} />
      )}
      <section className="ui-section">
        <h3>{t('tools.arguments')}</h3>
        {fields.length === 0 ? (
          <p className="tool-quiet">{t('tools.noArguments')}</p>
        ) : (
          <table className="ui-table">
            <thead>
              <tr>
                <th>{t('tools.argument')}</th>
                <th>{t('tools.type')}</th>
                <th>{t('tools.meaning')}</th>
              </tr>
            </thead>
            <tbody>{rows(fields, tool.inputSchema, 0)}</tbody>
          </table>
        )}
      </section>
      <section className="ui-section">
        <h3>{t('tools.example')}</h3>
        <pre className="ui-code">{example}</pre>
      </section>
    </div>
  );
}

function rows(fields: readonly SchemaProperty[], root: Schema, depth: number): React.ReactNode[] {
  return fields.flatMap((field) => {
    const shape = shapeOf(field.schema, root);
    const inner =
      shape.kind === 'object' ? shape.fields : shape.kind === 'list' ? fieldsOf(shape.item, root) : [];
    return [
      <tr key={`${depth} ${field.name}`}>
        <td style={{ paddingLeft: depth * 16 }}>
          <code>{field.name}</code>
        </td>
        <td className="tool-type">
          {typeText(field.schema, root)}
          {field.required && <strong>{t('tools.required')}</strong>}
        </td>
        <td>
          {field.description !== '' && <p>{field.description}</p>}
          <Limits schema={field.schema} />
        </td>
      </tr>,
      ...(depth < 3 ? rows(inner, root, depth + 1) : []),
    ];
  });
}

/** The bounds of exact integers, which libraries write by themselves, limit nothing. */
const isLimit = (value: unknown) => typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER;

function Limits({ schema }: { schema: Schema }) {
  const facts = [
    Array.isArray(schema.enum) &&
      t('tools.oneOf', { values: listed(schema.enum.map((one) => JSON.stringify(one))) }),
    schema.default !== undefined && t('tools.default', { value: JSON.stringify(schema.default) ?? '' }),
    isLimit(schema.minimum) && `≥ ${schema.minimum}`,
    isLimit(schema.maximum) && `≤ ${schema.maximum}`,
    typeof schema.pattern === 'string' && schema.pattern,
    typeof schema.format === 'string' && schema.format,
  ].filter((fact) => fact !== false);
  return facts.length > 0 ? <p className="tool-quiet">{facts.join(' · ')}</p> : null;
}
